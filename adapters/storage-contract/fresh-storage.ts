import type { Storage } from "../../lib/storage/port.ts";
import type { Transaction } from "../../lib/model/types.ts";

/** A transaction that was begun, and the storage inside it. */
export interface Begun {
  inside: Storage;
  transaction: Transaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface Opened {
  storage: Storage;
  begin(): Promise<Begun>;
}

export type StorageTest = (name: string, run: (opened: Opened) => Promise<void>) => void;

/** Gives each test a storage of its own, and takes all of it down again, whatever became of the test. */
export function onFreshStorage(
  test: (name: string, run: () => Promise<void>) => void,
  open: () => Promise<OpenedStorage>,
): StorageTest {
  return (name, run) =>
    test(name, async () => {
      const opened = await open();
      const unended = new Set<Begun>();
      const failures: unknown[] = [];
      const attempt = async (step: () => Promise<void>): Promise<void> => {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      };
      await attempt(() => run({ storage: opened.storage, begin: () => begin(opened, unended) }));
      // A transaction that a failed test left open would block others, and keep some storages from closing.
      for (const { rollback } of unended) await rollback().catch(() => {});
      await attempt(() => opened.storage.close());
      await attempt(() => opened.dispose());
      // The first failure is the cause. A failure of `close` or `dispose` may only follow from it.
      if (failures.length > 0) throw failures[0];
    });
}

async function begin(opened: OpenedStorage, unended: Set<Begun>): Promise<Begun> {
  const open = await opened.begin();
  const begun: Begun = {
    inside: opened.storage.within(open.transaction),
    transaction: open.transaction,
    commit() {
      unended.delete(begun);
      return open.commit();
    },
    rollback() {
      unended.delete(begun);
      return open.rollback();
    },
  };
  unended.add(begun);
  return begun;
}

/** A fresh, empty storage, and a way to open transactions on it. */
export interface OpenedStorage {
  storage: Storage;
  /** Opens a transaction of the storage's own kind. */
  begin(): Promise<{ transaction: Transaction; commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Removes what `open` made. The contract has closed the storage by then. */
  dispose(): Promise<void>;
}
