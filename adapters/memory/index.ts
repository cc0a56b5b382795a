import { summarizeEvents } from "../../lib/decisions/events.ts";
import { assertNotDeleted, workspaceDeleted } from "../../lib/storage/refusals.ts";
import { namesOfContact, namesOfEvent, namesOfUpdate } from "../../lib/decisions/order.ts";
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
import { createDefinitions, definitionsOf, type DefinitionsOf } from "./definitions.ts";
import { findSummaries, listEvents, listEventUsage, listRecentEvents, listRecorded, recordEvent } from "./events.ts";
import { pruneEvents } from "./pruning.ts";
import { createLogMethods } from "./log.ts";
import { beginTransaction, runInTransaction, viewOf, type MemoryTransaction } from "./transactions.ts";
import { createWatches } from "./watches/index.ts";
import { createSharedView, runOne, type State, type View } from "./view.ts";
import { createWebhooks } from "./webhooks.ts";
import { createWorkspaces } from "./workspaces.ts";

export type { MemoryTransaction } from "./transactions.ts";

/** The methods that `within` runs inside the transaction. */
type MethodsInside = Pick<
  Storage,
  | "upsertContacts"
  | "findContact"
  | "updateContact"
  | "deleteContact"
  | "listContacts"
  | "recordEvents"
  | "acknowledge"
  | "listEvents"
  | "findSummaries"
  | "insertCompletion"
  | "findCompletions"
  | "putDismissal"
  | "findDismissals"
>;

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
    ...createAudiences(shared),
    ...createLogMethods(state),
    ...createConsumers(state, shared),
    ...createWorkspaceLists(shared),
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

function createAudiences(view: View): Pick<Storage, "summarizeEvents" | "listMembers" | "countMembers"> {
  return {
    summarizeEvents: (workspace, contactId, test) =>
      runOne(view, null, ({ tables }) => {
        const record = tables(workspace).contacts.get(contactId);
        return record ? summarizeEvents(record.events, test) : null;
      }),
    listMembers: (workspace, condition, slice) =>
      runOne(view, null, ({ tables }) => listMembers(tables(workspace), condition, slice)),
    countMembers: (workspace, condition) =>
      runOne(view, null, ({ tables }) => countMembers(tables(workspace), condition)),
  };
}

function createWorkspaceLists(
  view: View,
): Pick<Storage, "countActivity" | "countContacts" | "listRecentEvents" | "listEventUsage" | "listRecorded"> {
  return {
    countActivity: (workspace, eventKey, spans) =>
      runOne(view, spans, ({ tables }, copies) =>
        copies.map((span) => countActivity(tables(workspace), eventKey, span)),
      ),
    listRecorded: (workspace, after, size) =>
      runOne(view, null, ({ tables }) => listRecorded(tables(workspace), after, size)),
    countContacts: (workspace) => runOne(view, null, ({ tables }) => countContacts(tables(workspace))),
    listRecentEvents: (workspace, eventKey, slice) =>
      runOne(view, null, ({ tables }) => listRecentEvents(tables(workspace), eventKey, slice)),
    listEventUsage: (workspace, after, size) =>
      runOne(view, null, ({ tables }) => listEventUsage(tables(workspace), after, size)),
  };
}

function createPruning(
  { prunedBefore, deletedAt }: State,
  view: View,
): Pick<Storage, "markPruned" | "findPrunedBefore" | "pruneEvents"> {
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
  const definitions: DefinitionsOf = (workspace, kind) => definitionsOf(state, workspace, kind);
  const isDeleted = ({ workspace }: { workspace: string }): boolean => state.deletedAt.has(workspace);
  return {
    upsertContacts: (items) =>
      view.runItems(
        items,
        (current, draft) => (isDeleted(draft) ? workspaceDeleted : upsertContact(current, draft, definitions)),
        namesOfContact,
      ),
    findContact: (workspace, reference) =>
      runOne(view, reference, ({ tables }, copy) => {
        const contact = findContact(tables(workspace), copy);
        return contact && copyOf(contact);
      }),
    async updateContact(update) {
      const [result] = await view.runItems(
        [update],
        (current, copy) => (isDeleted(copy) ? workspaceDeleted : updateContact(current, copy, definitions)),
        namesOfUpdate,
      );
      // One input has one result.
      if ("fault" in result!) throw result.fault;
      return result!;
    },
    deleteContact: (workspace, identifier, at) =>
      runOne(view, null, (current) => deleteContact(current, workspace, identifier, at, definitions)),
    listContacts: (workspace, slice) => runOne(view, null, ({ tables }) => listContacts(tables(workspace), slice)),
    recordEvents: (items) =>
      view.runItems(
        items,
        (current, draft) =>
          isDeleted(draft)
            ? workspaceDeleted
            : recordEvent(current, draft, definitions, state.prunedBefore.get(draft.workspace) ?? null),
        namesOfEvent,
      ),
    listEvents: (workspace, externalId, eventKey, slice) =>
      runOne(view, null, ({ tables }) => listEvents(tables(workspace), externalId, eventKey, slice)),
    acknowledge: (workspace, items) =>
      view.run(items, (current, progress) => acknowledge(current, workspace, progress)),
    findSummaries: (workspace, contactId) =>
      runOne(view, null, ({ tables }) => findSummaries(tables(workspace), contactId)),
    insertCompletion: (draft) =>
      runOne(view, draft, (current, copy) => {
        assertNotDeleted(isDeleted(copy));
        return insertCompletion(current, copy, definitions);
      }),
    findCompletions: (workspace, contactId) =>
      runOne(view, null, ({ tables }) => findCompletions(tables(workspace), contactId)),
    putDismissal: (draft) =>
      runOne(view, draft, (current, copy) => {
        assertNotDeleted(isDeleted(copy));
        return putDismissal(current, copy);
      }),
    findDismissals: (workspace, contactId) =>
      runOne(view, null, ({ tables }) => findDismissals(tables(workspace), contactId)),
  };
}
