import type { Storage } from "../lib/storage.ts";
import type { Transaction } from "../lib/types.ts";
import { apiKeys } from "./storage-contract/api-keys.ts";
import { audiences } from "./storage-contract/audiences.ts";
import { closing } from "./storage-contract/closing.ts";
import { completions } from "./storage-contract/completions.ts";
import { completionsByHand } from "./storage-contract/completions-by-hand.ts";
import { conflicts } from "./storage-contract/conflicts.ts";
import { contactLists } from "./storage-contract/contact-lists.ts";
import { copies } from "./storage-contract/copies.ts";
import { definitions } from "./storage-contract/definitions.ts";
import { deletions } from "./storage-contract/deletions.ts";
import { eventLists } from "./storage-contract/event-lists.ts";
import { events } from "./storage-contract/events.ts";
import { onFreshStorage } from "./storage-contract/fresh-storage.ts";
import { identifiers } from "./storage-contract/identifiers.ts";
import { patches } from "./storage-contract/patches.ts";
import { rateLimits } from "./storage-contract/rate-limits.ts";
import { replays } from "./storage-contract/replays.ts";
import { summaries } from "./storage-contract/summaries.ts";
import { texts } from "./storage-contract/texts.ts";
import { keptTimes } from "./storage-contract/times.ts";
import { transactionBystanders } from "./storage-contract/transaction-bystanders.ts";
import { transactionCalls } from "./storage-contract/transaction-calls.ts";
import { transactionNames } from "./storage-contract/transaction-names.ts";
import { transactionRaces } from "./storage-contract/transaction-races.ts";
import { transactionWaits } from "./storage-contract/transaction-waits.ts";
import { transactions } from "./storage-contract/transactions.ts";
import { upserts } from "./storage-contract/upserts.ts";
import { workspaces } from "./storage-contract/workspaces.ts";

// For who writes a storage: the rows and drafts of the port, and the rules to be called inside the atomic section.
export type {
  ApiKeyRow,
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  Completion,
  CompletionDraft,
  Condition,
  ContactDraft,
  ContactFields,
  ContactPatch,
  ContactReference,
  ContactRow,
  ContactUpdate,
  DefinitionOf,
  DefinitionRow,
  EventDraft,
  EventRow,
  EventSummary,
  Position,
  RateWindow,
  Slice,
  WindowUse,
} from "../lib/storage.ts";
export { completeItems, completingCounts } from "../lib/completions.ts";
export { putDefinition } from "../lib/definitions.ts";
export { addToSummary } from "../lib/events.ts";
export { wholeMinute } from "../lib/rate-limit.ts";
export { holds } from "../lib/rules.ts";
export {
  chooseByExternalId,
  chooseForDeletion,
  createContact,
  effectiveExternalId,
  foldEmail,
  patchContact,
  refuseWrite,
} from "../lib/contact-writes.ts";

/** A fresh, empty storage, and a way to open transactions on it. */
export interface OpenedStorage {
  storage: Storage;
  /** Opens a transaction of the storage's own kind. */
  begin(): Promise<{ transaction: Transaction; commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Removes what `open` made. The contract has closed the storage by then. */
  dispose(): Promise<void>;
}

/**
 * What every storage does, as tests for any runner: hands `test` one test after another, each with a name of its own. Each
 * opens a storage of its own, and closes and disposes of it also when it fails. Up to ten transactions are open at once.
 * Two tests wait 5 s for a contact that is held, some twenty 200 ms.
 */
export function storageContract(
  test: (name: string, run: () => Promise<void>) => void,
  open: () => Promise<OpenedStorage>,
): void {
  const storageTest = onFreshStorage(test, open);
  for (const tests of [
    upserts,
    patches,
    identifiers,
    conflicts,
    deletions,
    contactLists,
    events,
    replays,
    eventLists,
    summaries,
    definitions,
    audiences,
    completions,
    completionsByHand,
    apiKeys,
    rateLimits,
    workspaces,
    texts,
    keptTimes,
    copies,
    transactions,
    transactionCalls,
    transactionWaits,
    transactionNames,
    transactionBystanders,
    transactionRaces,
    closing,
  ]) {
    tests(storageTest);
  }
}
