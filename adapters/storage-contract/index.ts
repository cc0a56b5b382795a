import { apiKeys, rateLimits } from "./api-keys/index.ts";
import { arrays } from "./arrays.ts";
import { audiences, contactConditions, occurrences } from "./audiences/index.ts";
import {
  backlogs,
  acknowledgedInTransactions,
  changeListeners,
  leases,
  expiredChanges,
  parkedContacts,
  failedContacts,
} from "./consumers/index.ts";
import {
  callOrder,
  contactQueries,
  deletions,
  identifiers,
  patches,
  puts,
  conflicts,
  upserts,
  contactLists,
} from "./contacts/index.ts";
import { causedChanges, changeLimits, changeOrder, nextChanges } from "./changes/index.ts";
import { closing } from "./closing.ts";
import { completions, completionsByHand, dismissals } from "./checklists/index.ts";
import { copies, texts, keptTimes } from "./values/index.ts";
import { definitions, eventTypes, eventUsage } from "./definitions/index.ts";
import { deletedWorkspaces, workspaces } from "./workspaces/index.ts";
import { events, replays, summaries, eventLists, pruning, recentEvents, recordings } from "./events/index.ts";
import { onFreshStorage, type OpenedStorage } from "./fresh-storage.ts";
import {
  managedTransactions,
  transactionCompletions,
  transactionBystanders,
  transactionNames,
  transactionWaits,
  transactionCalls,
  transactionRaces,
  transactions,
} from "./transactions/index.ts";
import { pages } from "./pages.ts";
import { positions } from "./positions.ts";
import {
  announcements,
  watchedCounts,
  silentWrites,
  watchedWrites,
  sweeps,
  watchedDefinitions,
} from "./watches/index.ts";

export type { OpenedStorage } from "./fresh-storage.ts";

const transactionTests = [
  transactions,
  transactionCalls,
  transactionWaits,
  transactionNames,
  transactionBystanders,
  transactionCompletions,
  transactionRaces,
];

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
    upserts,
    puts,
    patches,
    identifiers,
    conflicts,
    deletions,
    contactLists,
    contactQueries,
    events,
    replays,
    eventLists,
    recentEvents,
    pages,
    positions,
    pruning,
    recordings,
    summaries,
    eventTypes,
    eventUsage,
    definitions,
    audiences,
    contactConditions,
    occurrences,
    completions,
    completionsByHand,
    dismissals,
    apiKeys,
    rateLimits,
    causedChanges,
    changeOrder,
    changeLimits,
    nextChanges,
    leases,
    acknowledgedInTransactions,
    failedContacts,
    parkedContacts,
    expiredChanges,
    backlogs,
    changeListeners,
    watchedDefinitions,
    announcements,
    sweeps,
    watchedWrites,
    watchedCounts,
    silentWrites,
    workspaces,
    deletedWorkspaces,
    texts,
    keptTimes,
    copies,
    arrays,
    callOrder,
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
