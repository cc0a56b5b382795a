import { summarizeEvents } from "../../lib/decisions/events.ts";
import { assertNotDeleted, workspaceDeleted } from "../../lib/storage/refusals.ts";
import { namesOfContact, namesOfEvent, namesOfUpdate } from "../../lib/decisions/order.ts";
import type { AudienceStorage } from "../../lib/storage/audiences.ts";
import type { ChecklistStorage } from "../../lib/storage/checklists.ts";
import type { ConsumerStorage } from "../../lib/storage/consumers.ts";
import type { ContactStorage } from "../../lib/storage/contacts.ts";
import type { EventStorage } from "../../lib/storage/events.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { countActivity } from "./activity.ts";
import { createApiKeys } from "./api-keys.ts";
import { countMembers, listMembers } from "./audiences.ts";
import { findCompletions, findDismissals, insertCompletion, putDismissal } from "./checklists.ts";
import { acknowledge, createConsumers } from "./consumers.ts";
import {
  copyOf,
  countContacts,
  deleteContact,
  findContact,
  listContacts,
  updateContact,
  upsertContact,
} from "./contacts.ts";
import { createDefinitions } from "./definitions.ts";
import { findSummaries, listEvents, listEventUsage, listRecentEvents, listRecorded, recordEvent } from "./events.ts";
import { pruneEvents } from "./pruning.ts";
import { createLogMethods } from "./log.ts";
import { beginTransaction, runInTransaction, viewOf, type MemoryTransaction } from "./transactions.ts";
import type { Tables } from "./tables.ts";
import { createWatches } from "./watches/index.ts";
import { createSharedView, runOne, type State, type View } from "./view.ts";
import { createWebhooks } from "./webhooks.ts";
import { createWorkspaces } from "./workspaces.ts";

export type { MemoryTransaction } from "./transactions.ts";

/** The methods that `within` runs inside the transaction. */
type MethodsInside = Omit<ContactStorage, "countContacts"> &
  Pick<EventStorage, "recordEvents" | "listEvents" | "findSummaries"> &
  Pick<ConsumerStorage, "acknowledge"> &
  ChecklistStorage;

/** A storage in memory, with its own transactions. */
export interface MemoryStorage extends Storage<MemoryTransaction> {
  /** Begins a transaction for `tracker.within`. Its writes lock their contacts until its end, as in a database. */
  begin(): MemoryTransaction;
}

/**
 * A storage in this process's memory, for unit tests and as the reference for other storages. It keeps all promises of the
 * port except durability: its data ends with the process.
 */
export function memoryStorage(): MemoryStorage {
  const state: State = {
    workspaces: new Map(),
    positions: { end: 0 },
    definitions: new Map(),
    webhooks: new Map(),
    prunedBefore: new Map(),
    deletedAt: new Map(),
    holders: new Map(),
    transactions: new WeakMap(),
    open: new Set(),
    closed: false,
  };
  const shared = createSharedView(state);
  const { workspacesOfKeys, ...apiKeys } = createApiKeys(state);
  const others = {
    ...createDefinitions(state),
    ...apiKeys,
    ...createWorkspaces(state, shared, { ...apiKeys, workspacesOfKeys }),
    ...createReads(shared),
    ...createLogMethods(state),
    ...createConsumers(state, shared),
    ...createPruning(state, shared),
    ...createWatches(state, shared),
    ...createWebhooks(state),
  };
  const storageOn = (view: View): Storage<MemoryTransaction> => ({
    ...createMethods(state, view),
    ...others,
    within: (transaction) => storageOn(viewOf(state, transaction)),
    transaction: (run) => runInTransaction(state, (inside, transaction) => run(storageOn(inside), transaction)),
    async close() {
      state.closed = true;
      for (const giveUp of state.open) giveUp();
    },
  });
  return { ...storageOn(shared), begin: () => beginTransaction(state) };
}

/** A method that reads the tables of a workspace. */
function reading<Args extends unknown[], Result>(
  view: View,
  read: (tables: Tables, ...args: Args) => Result,
): (workspace: string, ...args: Args) => Promise<Result> {
  return (workspace, ...args) => runOne(view, args, ({ tables }, copies) => read(tables(workspace), ...copies));
}

function createReads(
  view: View,
): AudienceStorage &
  Pick<EventStorage, "summarizeEvents" | "countActivity" | "listRecentEvents" | "listEventUsage" | "listRecorded"> &
  Pick<ContactStorage, "countContacts"> {
  return {
    summarizeEvents: reading(view, ({ contacts }, contactId, test) => {
      const record = contacts.get(contactId);
      return record ? summarizeEvents(record.events, test) : null;
    }),
    listMembers: reading(view, listMembers),
    countMembers: reading(view, countMembers),
    countActivity: reading(view, (tables, eventKey, spans) =>
      spans.map((span) => countActivity(tables, eventKey, span)),
    ),
    listRecorded: reading(view, listRecorded),
    countContacts: reading(view, countContacts),
    listRecentEvents: reading(view, listRecentEvents),
    listEventUsage: reading(view, listEventUsage),
  };
}

function createPruning(
  { prunedBefore, deletedAt }: State,
  view: View,
): Pick<EventStorage, "markPruned" | "findPrunedBefore" | "pruneEvents"> {
  return {
    findPrunedBefore: (workspace) => runOne(view, null, () => prunedBefore.get(workspace) ?? null),
    markPruned: (workspace, before) =>
      runOne(view, null, () => {
        assertNotDeleted(deletedAt.has(workspace));
        prunedBefore.set(workspace, Math.max(before, prunedBefore.get(workspace) ?? before));
      }),
    pruneEvents: (workspace, request) => runOne(view, null, (current) => pruneEvents(current, workspace, request)),
  };
}

function createMethods(state: State, view: View): MethodsInside {
  const isDeleted = ({ workspace }: { workspace: string }): boolean => state.deletedAt.has(workspace);
  return {
    upsertContacts: (items) =>
      view.runItems(
        items,
        (current, draft) => (isDeleted(draft) ? workspaceDeleted : upsertContact(current, draft)),
        namesOfContact,
      ),
    findContact: reading(view, (tables, reference) => {
      const contact = findContact(tables, reference);
      return contact && copyOf(contact);
    }),
    async updateContact(update) {
      const [result] = await view.runItems(
        [update],
        (current, copy) => (isDeleted(copy) ? workspaceDeleted : updateContact(current, copy)),
        namesOfUpdate,
      );
      // One input has one result.
      if ("fault" in result!) throw result.fault;
      return result!;
    },
    deleteContact: (workspace, identifier, at) =>
      runOne(view, null, (current) => deleteContact(current, workspace, identifier, at)),
    listContacts: reading(view, listContacts),
    recordEvents: (items) =>
      view.runItems(
        items,
        (current, draft) =>
          isDeleted(draft)
            ? workspaceDeleted
            : recordEvent(current, draft, state.prunedBefore.get(draft.workspace) ?? null),
        namesOfEvent,
      ),
    listEvents: reading(view, listEvents),
    acknowledge: (workspace, items) =>
      view.run(items, (current, progress) => acknowledge(current, workspace, progress)),
    findSummaries: reading(view, findSummaries),
    insertCompletion: (draft) =>
      runOne(view, draft, (current, copy) => {
        assertNotDeleted(isDeleted(copy));
        return insertCompletion(current, copy);
      }),
    findCompletions: reading(view, findCompletions),
    putDismissal: (draft) =>
      runOne(view, draft, (current, copy) => {
        assertNotDeleted(isDeleted(copy));
        return putDismissal(current, copy);
      }),
    findDismissals: reading(view, findDismissals),
  };
}
