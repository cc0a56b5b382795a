import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener, type Listener } from "../../adapters/node-http.ts";
import { createTracker, type Storage, type Tracker, type TrackerOptions } from "../../lib/index.ts";
import { assertDocumented } from "../http/documented.ts";
import { listening } from "./loopback.ts";
import { askerAt, authorized, type Asker } from "./raw-connection.ts";
import { within } from "./within.ts";

/** A tracker behind a node:http server. */
export interface Served extends Asker {
  tracker: Tracker;
}

export interface ServingOptions extends Partial<Omit<TrackerOptions, "storage" | "onError">> {
  /** What stands between the server and the listener. */
  mount?: (listener: Listener, tracker: Tracker) => RequestListener;
  /** Wraps the memory. */
  storage?: (storage: Storage) => Storage;
}

/** Fails, too, for an error reported to `onError`, and for one that would have ended the process. */
export async function serving(run: (served: Served) => Promise<void>, options: ServingOptions = {}): Promise<void> {
  const { mount = plain, storage = (memory) => memory, ...trackerOptions } = options;
  const reported: unknown[] = [];
  const onError = (error: unknown): void => void reported.push(error);
  const tracker = createTracker({ ...trackerOptions, storage: storage(memoryStorage()), onError });
  const { fault, ignoreFaults } = watchForFaults();
  try {
    await listening(createServer(mount(toListener(tracker), tracker)), async (port) => {
      const { key } = await tracker.apiKeys.create({ name: "test" });
      const asker = askerAt(port, key);
      const served = { ...asker, tracker, ask: askDocumented(asker, key, options.basePath) };
      await within(20_000, "the test", Promise.race([run(served), fault])).finally(asker.disconnect);
      assert.deepEqual(reported, []);
    });
  } finally {
    ignoreFaults();
    await tracker.close();
  }
}

function plain(listener: Listener): RequestListener {
  return (request, response) => void listener(request, response);
}

/** Asks, and asserts that an answer of the API is as documented. Another is the mount's own. */
function askDocumented({ ask }: Asker, key: string, basePath?: string): Asker["ask"] {
  return async (request = {}) => {
    const answer = await ask(request);
    const { method, target } = authorized(key, request);
    if (answer.headers.get("Content-Type") === "application/json") {
      const call = { method: method!, path: target! };
      assertDocumented(call, { ...answer, body: JSON.parse(answer.body) as unknown }, basePath);
    }
    return answer;
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
