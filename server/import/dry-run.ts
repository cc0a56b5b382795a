import type { Storage } from "../../lib/storage/port.ts";

const itemsAtOnce = 500;

/** The storage, with a transaction around each write of contacts or events that is rolled back after the write. */
export function rollingBack(storage: Storage): Storage {
  return {
    ...storage,
    upsertContacts: gathered((items) => rolledBack(storage, (inside) => inside.upsertContacts(items))),
    recordEvents: gathered((items) => rolledBack(storage, (inside) => inside.recordEvents(items))),
  };
}

async function rolledBack<Result>(storage: Storage, work: (inside: Storage) => Promise<Result>): Promise<Result> {
  const rollback = new Error("The transaction of a dry run is rolled back.");
  let result: Promise<Result> | undefined;
  await storage
    .transaction(async (inside) => {
      await (result = work(inside));
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  // The transaction has run the work.
  return result!;
}

/** Runs one write at a time. Calls that arrive during a write share the next one. */
function gathered<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result[]>,
): (items: readonly Item[]) => Promise<Result[]> {
  let waiting: { item: Item; settle: (result: Promise<Result>) => void }[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting.slice(0, itemsAtOnce);
      waiting = waiting.slice(itemsAtOnce);
      const results = write(taken.map(({ item }) => item));
      // Each item has a result.
      for (const [index, { settle }] of taken.entries()) settle(results.then((all) => all[index]!));
      await results.catch(() => {});
    }
    isRunning = false;
  };
  const add = (item: Item): Promise<Result> => {
    if (!isRunning) setImmediate(() => void run());
    isRunning = true;
    return new Promise((resolve) => waiting.push({ item, settle: resolve }));
  };
  return (items) => Promise.all(items.map(add));
}
