import * as apiKeys from "./api-keys/index.ts";
import { arrays } from "./arrays.ts";
import * as audiences from "./audiences/index.ts";
import * as changes from "./changes/index.ts";
import * as checklists from "./checklists/index.ts";
import { closing } from "./closing.ts";
import * as consumers from "./consumers/index.ts";
import * as contacts from "./contacts/index.ts";
import * as definitions from "./definitions/index.ts";
import * as events from "./events/index.ts";
import { onFreshStorage, type OpenedStorage, type StorageTest } from "./fresh-storage.ts";
import { pages } from "./pages.ts";
import { positions } from "./positions.ts";
import * as transactions from "./transactions/index.ts";
import { copies, texts, keptTimes } from "./values/index.ts";
import * as watches from "./watches/index.ts";
import * as webhooks from "./webhooks/index.ts";
import * as workspaces from "./workspaces/index.ts";

export type { OpenedStorage } from "./fresh-storage.ts";

/** Defines some tests. */
type Tests = (test: StorageTest) => void;

/** Everything that these folders export defines tests. */
const subjects: readonly Readonly<Record<string, Tests>>[] = [
  contacts,
  events,
  definitions,
  audiences,
  checklists,
  apiKeys,
  changes,
  consumers,
  watches,
  webhooks,
  workspaces,
];

const { managedTransactions, ...ofTransactions } = transactions;
const transactionTests: readonly Tests[] = Object.values(ofTransactions);

/**
 * Defines the tests that every storage passes, for any test runner. It calls `test` for each, with a unique name. Each test
 * opens a storage, and closes and disposes of it even if it fails. Up to ten transactions are open at once. Four tests wait
 * 5 s for a locked contact, and some thirty wait 200 ms.
 */
export function storageContract(
  test: (name: string, run: () => Promise<void>) => void,
  open: () => Promise<OpenedStorage>,
): void {
  const storageTest = onFreshStorage(test, open);
  for (const tests of [
    ...subjects.flatMap((subject) => Object.values(subject)),
    pages,
    positions,
    texts,
    keptTimes,
    copies,
    arrays,
    ...transactionTests,
    managedTransactions,
    closing,
  ]) {
    tests(storageTest);
  }
}

/** Defines the tests about transactions, for another way to open them. */
export function transactionContract(
  test: (name: string, run: () => Promise<void>) => void,
  open: () => Promise<OpenedStorage>,
): void {
  for (const tests of transactionTests) tests(onFreshStorage(test, open));
}
