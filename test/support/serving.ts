import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener, type Listener } from "../../adapters/node-http.ts";
import { createTracker, type Storage, type Tracker, type TrackerOptions } from "../../lib/index.ts";
import { assertDocumented } from "../http/documented.ts";
import {
  askOnce,
  authorized,
  openConnection,
  toText,
  type RawAnswer,
  type RawConnection,
  type RawRequest,
} from "./raw-connection.ts";
import { within } from "./within.ts";

/** A tracker behind a node:http server. */
export interface Served {
  tracker: Tracker;
  port: number;
  key: string;
  connect(): Promise<RawConnection>;
  /** A request's text with the key; with a body it is a POST of JSON. The target defaults to `/api/v1/contacts`. */
  toText(request?: RawRequest): string;
  /** Its answer, on a connection of its own. */
  ask(request?: RawRequest): Promise<RawAnswer>;
}

export interface ServingOptions extends Partial<Omit<TrackerOptions, "storage" | "onError">> {
  /** What stands between the server and the listener. */
  mount?: (listener: Listener, tracker: Tracker) => RequestListener;
  /** Wraps the memory. */
  storage?: (storage: Storage) => Storage;
}

/** Makes a test's body. It fails, too, for an error reported to `onError`, and for one that would have ended the process. */
export function serving(run: (served: Served) => Promise<void>, options: ServingOptions = {}): () => Promise<void> {
  const { mount = plain, storage = (memory) => memory, ...trackerOptions } = options;
  return async () => {
    const reported: unknown[] = [];
    const onError = (error: unknown): void => void reported.push(error);
    const tracker = createTracker({ ...trackerOptions, storage: storage(memoryStorage()), onError });
    const server = createServer(mount(toListener(tracker), tracker));
    const connections: RawConnection[] = [];
    const { fault, ignoreFaults } = watchForFaults();
    try {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const { key } = await tracker.apiKeys.create({ name: "test" });
      const served = createServed(tracker, port, key, connections, options.basePath);
      await within(20_000, "the test", Promise.race([run(served), fault]));
      assert.deepEqual(reported, []);
    } finally {
      ignoreFaults();
      for (const connection of connections) connection.destroy();
      server.close();
      server.closeAllConnections();
      await tracker.close();
    }
  };
}

function plain(listener: Listener): RequestListener {
  return (request, response) => void listener(request, response);
}

function createServed(
  tracker: Tracker,
  port: number,
  key: string,
  connections: RawConnection[],
  basePath?: string,
): Served {
  const connect = async (): Promise<RawConnection> => {
    const connection = await openConnection(port);
    connections.push(connection);
    return connection;
  };
  const withKey = (request: RawRequest = {}): string => toText(authorized(key, request));
  return {
    tracker,
    port,
    key,
    connect,
    toText: withKey,
    async ask(request) {
      const answer = await askOnce(await connect(), withKey(request));
      const { method, target } = authorized(key, request ?? {});
      // Else it is the mount's own.
      if (answer.headers.get("Content-Type") === "application/json") {
        const call = { method: method!, path: target! };
        assertDocumented(call, { ...answer, body: JSON.parse(answer.body) as unknown }, basePath);
      }
      return answer;
    },
  };
}

/** Turns what would end the process into a rejection. */
function watchForFaults(): { fault: Promise<never>; ignoreFaults(): void } {
  let reject: (error: unknown) => void;
  const fault = new Promise<never>((_, rejectFault) => (reject = rejectFault));
  const onFault = (error: unknown): void => reject(error);
  process.on("uncaughtException", onFault);
  return { fault, ignoreFaults: () => void process.off("uncaughtException", onFault) };
}
