import type { ContactAndEventMethods, Storage } from "../lib/storage.ts";
import { createApiKeys } from "./memory/api-keys.ts";
import { copyOf, deleteContact, findContact, listContacts, updateContact, upsertContact } from "./memory/contacts.ts";
import { createDefinitions } from "./memory/definitions.ts";
import { findSummaries, listEvents, recordEvent } from "./memory/events.ts";
import { beginTransaction, viewOf, type MemoryTransaction } from "./memory/transactions.ts";
import { createSharedView, type State, type View } from "./memory/view.ts";

export type { MemoryTransaction } from "./memory/transactions.ts";

export interface MemoryStorage extends Storage {
  /** Opens a transaction for `tracker.within`. What it writes locks its contacts until its end, as in a database. */
  begin(): MemoryTransaction;
}

/**
 * A storage in this process's memory: the reference for every other, and the double for unit tests. It keeps what the port
 * promises but durability, and is gone with the process.
 */
export function memoryStorage(): MemoryStorage {
  const state: State = {
    workspaces: new Map(),
    holders: new Map(),
    transactions: new WeakMap(),
    open: new Set(),
    closed: false,
  };
  const others = { ...createDefinitions(state), ...createApiKeys(state) };
  const storageOn = (view: View): Storage => ({
    ...createMethods(view),
    ...others,
    within: (transaction) => storageOn(viewOf(state, transaction)),
    async close() {
      state.closed = true;
      for (const giveUp of state.open) giveUp();
    },
  });
  return { ...storageOn(createSharedView(state)), begin: () => beginTransaction(state) };
}

function createMethods(view: View): ContactAndEventMethods {
  const runOne = async <Result>(operation: (view: View) => Result): Promise<Result> => {
    const [result] = await view.run([null], operation);
    return result!;
  };
  return {
    upsertContacts: (items) => view.run(items, upsertContact),
    findContact: (workspace, externalId) =>
      runOne(({ tables }) => {
        const contact = findContact(tables(workspace), { externalId });
        return contact && copyOf(contact);
      }),
    async updateContact(update) {
      const [contact] = await view.run([update], updateContact);
      return contact!;
    },
    deleteContact: (workspace, identifier) => runOne((view) => deleteContact(view, workspace, identifier)),
    listContacts: (workspace, slice) => runOne(({ tables }) => listContacts(tables(workspace), slice)),
    recordEvents: (items) => view.run(items, recordEvent),
    listEvents: (workspace, externalId, eventKey, slice) =>
      runOne(({ tables }) => listEvents(tables(workspace), externalId, eventKey, slice)),
    findSummaries: (workspace, contactId) => runOne(({ tables }) => findSummaries(tables(workspace), contactId)),
  };
}
