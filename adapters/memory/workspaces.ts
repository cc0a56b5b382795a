import type { RemovedRows } from "../../lib/storage/workspaces.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { removeContact } from "./tables.ts";
import { nameIn, runOne, type State, type View } from "./view.ts";
import { Locked } from "./locks.ts";

const contactsPerStep = 100;

type ApiKeyMethods = Pick<Storage, "listApiKeys" | "deleteApiKey">;

export function createWorkspaces(
  state: State,
  shared: View,
  apiKeys: ApiKeyMethods & { workspacesOfKeys(): Iterable<string> },
): Pick<Storage, "listWorkspaces" | "markDeleted" | "removeRows"> {
  return {
    listWorkspaces: () =>
      runOne(shared, null, () => {
        const filled = [...state.workspaces].filter(([, { contacts }]) => [...contacts.values()].length > 0);
        const defined = [...state.definitions.values()].flatMap((kinds) => Object.values(kinds).flat());
        const others = [...apiKeys.workspacesOfKeys(), ...state.prunedBefore.keys(), ...state.deletedAt.keys()];
        const names = new Set([
          ...filled.map(([name]) => name),
          ...defined.map(({ workspace }) => workspace),
          ...others,
        ]);
        return [...names].sort().map((name) => ({ name, deletedAt: state.deletedAt.get(name) ?? null }));
      }),
    markDeleted: (workspace, at) =>
      runOne(shared, null, () => {
        if (!state.deletedAt.has(workspace)) state.deletedAt.set(workspace, at);
        return { settleMs: 0 };
      }),
    async removeRows(workspace, { after, settled }) {
      const step = await runOne(shared, null, () => removeContacts(state, shared, workspace, after));
      if (step.next !== null || step.done || !settled) return step;
      const keys = await apiKeys.listApiKeys(workspace);
      for (const { id } of keys) await apiKeys.deleteApiKey(workspace, id);
      return { ...step, apiKeys: keys.length, definitions: removeRest(state, workspace), done: true };
    },
  };
}

/** Removes the next contacts. Waits for transactions that wrote in the workspace. */
function removeContacts(state: State, view: View, workspace: string, after: string | null): RemovedRows {
  const step: RemovedRows = { contacts: 0, events: 0, definitions: 0, apiKeys: 0, next: null, done: false };
  // Another deletion has removed the mark, so the contacts are those of a new workspace.
  if (!state.deletedAt.has(workspace)) return { ...step, done: true };
  for (const [name, holder] of state.holders) if (name.startsWith(nameIn(workspace, ""))) throw new Locked(holder);
  const tables = view.tables(workspace);
  const records = Array.from(tables.contacts.values())
    .filter(({ row }) => after === null || row.id > after)
    .sort((a, b) => (a.row.id < b.row.id ? -1 : 1))
    .slice(0, contactsPerStep);
  for (const record of records) removeContact(tables, record);
  const events = records.reduce((sum, record) => sum + record.events.length, 0);
  return { ...step, contacts: records.length, events, next: records.at(-1)?.row.id ?? null };
}

/** Removes the log, the definitions with their watches, and the mark. Returns the number of definitions. */
function removeRest(state: State, workspace: string): number {
  const { workspaces, definitions, webhooks, prunedBefore, deletedAt } = state;
  const removed = Object.values(definitions.get(workspace) ?? {}).flat();
  for (const { id } of removed) webhooks.delete(id);
  for (const table of [workspaces, definitions, prunedBefore, deletedAt]) table.delete(workspace);
  return removed.length;
}
