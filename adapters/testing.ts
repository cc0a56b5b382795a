import { readArguments } from "../lib/consumers/consume.ts";
import { lengthStruct } from "../lib/input/periods.ts";
import { parse } from "../lib/input/shapes.ts";
import type { Workspace } from "../lib/methods/index.ts";
import type { Consumer } from "../lib/model/consumer-types.ts";
import { spanOf } from "../lib/model/periods.ts";
import type { Definitions, Length } from "../lib/model/types.ts";
import { createTracker, type Tracker, type TrackerOptions } from "../lib/tracker.ts";
import { memoryStorage, type MemoryStorage, type MemoryTransaction } from "./memory/index.ts";

type Omitted = "storage" | "now";

/** The options of `createTracker` without `storage`. `now` is where the clock stands at first; by default at the time of the call. */
export interface TestTrackerOptions<Defined extends Definitions = Definitions> extends Omit<
  TrackerOptions<MemoryTransaction, Defined>,
  Omitted
> {
  now?: string | Date | undefined;
}

/** A tracker in memory, and the function that moves its clock. */
export interface TestTracker<Defined extends Definitions = Definitions> {
  /** Has stored its definitions when it resolves the first call. Its consumers run during `advance` alone. */
  tracker: Tracker<MemoryTransaction, Defined>;
  /**
   * Moves the clock by the length in one step, sweeps all audiences, and runs the consumers until no change is left. Without a length
   * the clock stays. Sends no messages of webhooks.
   * - Tries each change once. If a handler fails, rejects with its error, after the changes of other contacts and consumers are
   *   handled. The next call tries the change again. A consumer that is stopped meanwhile ends with what is left.
   * - `invalid_input`, as for the length of a rule. Rejects while an earlier call runs.
   * @example await advance({ days: 3 });
   */
  advance(length?: Length): Promise<void>;
}

/**
 * Creates a tracker over a memory of its own, whose clock stands still. Throws what `createTracker` throws.
 * @example const { tracker, advance } = testTracker({ definitions });
 */
export function testTracker<const Defined extends Definitions = Definitions>(
  options?: TestTrackerOptions<Defined>,
): TestTracker<Defined>;
// This signature leaves out the types of the definitions, as that of `createTracker` does.
export function testTracker(options: TestTrackerOptions = {}): TestTracker {
  const { now = new Date(), onError = (error) => console.error(error), ...others } = options;
  let time = new Date(now).getTime();
  /** The errors of handlers, while `advance` runs. */
  let failures: unknown[] | null = null;
  const settings: Omit<TrackerOptions, "storage"> = {
    ...others,
    now: () => new Date(time),
    onError: (error, context) => (failures ? void failures.push(error) : onError(error, context)),
  };
  const storage = memoryStorage();
  const prepared = prepare(createTracker({ ...settings, storage }), others.definitions);
  const tracker = createTracker({ ...settings, storage: usedAfter(prepared, storage) });
  const consumers = new Set<WaitingConsumer>();
  return {
    tracker: {
      ...keepConsumers(tracker, consumers),
      workspace: (name) => keepConsumers(tracker.workspace(name), consumers),
      async close() {
        for (const consumer of consumers) await consumer.stop();
        await tracker.close();
      },
    },
    async advance(length) {
      // Two at once would mix their errors, and wait for the changes that the other has taken.
      if (failures) throw new Error("advance is running: await it before the next call");
      const failed: unknown[] = (failures = []);
      const fail = (error: unknown): number => {
        failed.push(error);
        return 0;
      };
      try {
        if (length !== undefined) time = spanOf({ next: parse(length, lengthStruct) }, time).to ?? time;
        await tracker.work({ until: "caught-up" });
        for (const consumer of consumers) await consumer.retry().catch(fail);
        // A handler can cause changes for consumers that ran before it.
        for (let handled = 1; handled > 0;) {
          handled = 0;
          for (const consumer of consumers) handled += await consumer.run().catch(fail);
        }
        if (failed.length > 0) throw failed[0];
      } finally {
        failures = null;
      }
    },
  };
}

/** Ends the first pass of the audiences too: contacts that a test adds later enter them, and are announced. */
async function prepare(tracker: Tracker, definitions: Definitions | undefined): Promise<void> {
  if (definitions) await tracker.provision();
  await tracker.work({ until: "caught-up" });
}

/** The storage, whose methods wait until it is prepared. They reject if it cannot be. */
function usedAfter(prepared: Promise<void>, storage: MemoryStorage): MemoryStorage {
  // The first call gets the error.
  prepared.catch(() => {});
  const { within, begin, watchChanges, close, ...others } = storage;
  const waiting = Object.entries<(...given: never[]) => unknown>(others).map(([name, method]) => [
    name,
    (...given: never[]) => prepared.then(() => method(...given)),
  ]);
  return { ...Object.fromEntries(waiting), within, begin, watchChanges, close };
}

/** A consumer that waits for `advance`. `retry` has failed changes tried again. `run` resolves with the number of handled ones. */
type WaitingConsumer = Consumer & { retry(): Promise<void>; run(): Promise<number> };

/** The methods, with a `consume` that leaves its handler to `advance`. With `until` it runs at once, as ever. */
function keepConsumers<Methods extends Workspace<MemoryTransaction>>(
  methods: Methods,
  consumers: Set<WaitingConsumer>,
): Methods {
  const { subscriptions } = methods;
  const consume = (keyInput: unknown, first: unknown, second?: unknown): unknown => {
    const { key, options, handler } = readArguments(keyInput, first, second);
    if (options.until) return subscriptions.consume(key, options, handler);
    const counts = { handled: 0, failed: 0 };
    let end = (): void => {};
    const consumer: WaitingConsumer = {
      async retry() {
        for (;;) {
          const { items } = await subscriptions.parked(key);
          if (items.length === 0) return;
          for (const { changeId } of items) await subscriptions.retry(key, changeId);
        }
      },
      async run() {
        const once = { ...options, until: "caught-up", tries: 1 } as const;
        const { handled, failed } = await subscriptions.consume(key, once, handler);
        counts.handled += handled;
        counts.failed += failed;
        return handled;
      },
      async stop() {
        consumers.delete(consumer);
        end();
      },
      stats: () => ({ ...counts }),
      ended: new Promise((resolve) => (end = resolve)),
    };
    consumers.add(consumer);
    return consumer;
  };
  return { ...methods, subscriptions: { ...subscriptions, consume } };
}
