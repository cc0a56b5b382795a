import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Storage } from "../../lib/index.ts";
import { createHttpServer } from "../../server/http-server.ts";
import {
  askOnce,
  authorized,
  openConnection,
  toText,
  type RawAnswer,
  type RawConnection,
  type RawRequest,
} from "../support/raw-connection.ts";
import { within } from "../support/within.ts";

/** The reference server in this process. */
export interface InProcess {
  storage: Storage;
  key: string;
  connect(): Promise<RawConnection>;
  /** A request's text with the key; one with a body is a POST of JSON. */
  toText(request: RawRequest): string;
  /** Its answer, on a connection of its own. */
  ask(request: RawRequest): Promise<RawAnswer>;
  stop(): Promise<void>;
}

export interface InProcessOptions {
  /** Wraps the memory. */
  storage?: (memory: Storage) => Storage;
  hasDashboard?: boolean;
  isDemo?: boolean;
  /** Sees the server before it listens. */
  prepare?: (server: Server) => void;
}

/** Makes a test's body, as `whodid serve` puts the parts together. */
export function withHttpServer(
  run: (served: InProcess) => Promise<void>,
  options: InProcessOptions = {},
): () => Promise<void> {
  const { storage: wrap = (memory) => memory, prepare = () => {}, hasDashboard = false, isDemo = false } = options;
  return async () => {
    const storage = wrap(memoryStorage());
    const tracker = createTracker({ storage, onError: () => {} });
    const { key } = await tracker.apiKeys.create({ name: "test" });
    const { server, stop } = createHttpServer(tracker, storage, { hasDashboard, isDemo });
    prepare(server);
    const connections: RawConnection[] = [];
    try {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const connect = async (): Promise<RawConnection> => {
        const connection = await openConnection(port);
        connections.push(connection);
        return connection;
      };
      const withKey = (request: RawRequest): string => toText(authorized(key, request));
      const ask = async (request: RawRequest): Promise<RawAnswer> => askOnce(await connect(), withKey(request));
      await within(60_000, "the test", run({ storage, key, connect, toText: withKey, ask, stop }));
    } finally {
      for (const connection of connections) connection.destroy();
      server.close();
      server.closeAllConnections();
      await tracker.close();
    }
  };
}
