import type { Server } from "node:http";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Storage } from "../../lib/index.ts";
import { createHttpServer } from "../../server/http-server.ts";
import type { TokenVisitorsOptions } from "../../server/visitors/index.ts";
import { listening } from "../support/loopback.ts";
import { askerAt, type Asker } from "../support/raw-connection.ts";
import { within } from "../support/within.ts";

/** The reference server in this process. */
export interface InProcess extends Asker {
  storage: Storage;
  key: string;
  stop(): Promise<void>;
}

export interface InProcessOptions {
  /** Wraps the memory. */
  storage?: (memory: Storage) => Storage;
  hasDashboard?: boolean;
  isDemo?: boolean;
  tokenVisitors?: TokenVisitorsOptions;
  /** Sees the server before it listens. */
  prepare?: (server: Server) => void;
}

/** Runs with the parts that `whodid serve` puts together. */
export async function withHttpServer(
  run: (served: InProcess) => Promise<void>,
  options: InProcessOptions = {},
): Promise<void> {
  const { storage: wrap = (memory) => memory, prepare = () => {}, ...served } = options;
  const storage = wrap(memoryStorage());
  const tracker = createTracker({ storage, onError: () => {} });
  const { key } = await tracker.apiKeys.create({ name: "test" });
  const { server, stop } = createHttpServer(tracker, served);
  prepare(server);
  try {
    await listening(server, async (port) => {
      const asker = askerAt(port, key);
      await within(60_000, "the test", run({ ...asker, storage, key, stop })).finally(asker.disconnect);
    });
  } finally {
    await tracker.close();
  }
}
