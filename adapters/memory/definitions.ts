import { beginsWebhook, frozen, putDefinition } from "../../lib/decisions/definition-writes.ts";
import { refusalOfAudience, refusalOfDeletion, refusalOfSubscription } from "../../lib/decisions/named-definitions.ts";
import { newWebhook } from "../../lib/decisions/webhooks.ts";
import { workspaceDeleted } from "../../lib/storage/refusals.ts";
import type { DefinitionRow, Refused } from "../../lib/storage/rows.ts";
import type { DefinitionStorage } from "../../lib/storage/definitions.ts";
import { insertInOrder } from "./order.ts";
import { planWatches } from "../../lib/decisions/watch-plans.ts";
import { assertNotClosed, definitionsOf, makeTables, type State } from "./view.ts";

export function createDefinitions(state: State): DefinitionStorage {
  return {
    async putDefinition(draft) {
      assertNotClosed(state);
      if (state.deletedAt.has(draft.workspace)) return workspaceDeleted;
      const rows = definitionsOf(state, draft.workspace, draft.kind);
      const index = rows.findIndex(({ key }) => key === draft.key);
      const before = rows[index] ?? null;
      const put = refusalOf(state, draft) ?? putDefinition(before, draft);
      if ("refused" in put) return put;
      const kept = frozen(structuredClone(put));
      if (index === -1 && kept.kind === "subscription") makeTables(state, kept.workspace).changes.begin(kept.id);
      if (index === -1) insertInOrder(rows, kept);
      else rows[index] = kept;
      state.definitions.set(draft.workspace, { ...state.definitions.get(draft.workspace), [draft.kind]: rows });
      watchDefinitions(state, draft.workspace, draft);
      if (beginsWebhook(before, kept)) {
        const { version, secrets } = state.webhooks.get(kept.id) ?? { version: 0, secrets: [] };
        state.webhooks.set(kept.id, { state: newWebhook, version: version + 1, secrets });
      }
      return kept;
    },
    async listDefinitions(workspace, kind) {
      assertNotClosed(state);
      return [...definitionsOf(state, workspace, kind)];
    },
    async deleteDefinition(workspace, kind, key) {
      assertNotClosed(state);
      if (state.deletedAt.has(workspace)) return workspaceDeleted;
      const rows = definitionsOf(state, workspace, kind);
      const index = rows.findIndex((row) => row.key === key);
      if (index === -1) return false;
      const users = [
        ...definitionsOf(state, workspace, "audience"),
        ...definitionsOf(state, workspace, "subscription"),
      ];
      const refusal = refusalOfDeletion(kind, key, users);
      if (refusal) return refusal;
      // The row was found at this index.
      const [removed] = rows.splice(index, 1);
      if (kind === "subscription") makeTables(state, workspace).changes.end(removed!.id);
      state.webhooks.delete(removed!.id);
      watchDefinitions(state, workspace, null);
      return true;
    },
  };
}

function refusalOf(state: State, draft: DefinitionRow): Refused | null {
  const { workspace } = draft;
  if (draft.kind === "subscription") return refusalOfSubscription(draft, definitionsOf(state, workspace, "audience"));
  if (draft.kind !== "audience") return null;
  const named = [...definitionsOf(state, workspace, "attribute"), ...definitionsOf(state, workspace, "checklist")];
  return refusalOfAudience(draft, named);
}

/** Brings the watches up to date after a definition was written. `draft` is `null` after a deletion. */
function watchDefinitions(state: State, workspace: string, draft: DefinitionRow | null): void {
  const { contacts, watches } = makeTables(state, workspace);
  const announced = draft?.kind === "audience" && draft.body.announce ? draft.key : null;
  const definitions = {
    subscriptions: definitionsOf(state, workspace, "subscription"),
    audiences: definitionsOf(state, workspace, "audience"),
    attributes: definitionsOf(state, workspace, "attribute"),
    checklists: definitionsOf(state, workspace, "checklist"),
  };
  const { added, changed, ended } = planWatches(watches, definitions, {
    workspace,
    at: draft?.createdAt ?? 0,
    announced,
  });
  for (const watch of ended) {
    watches.splice(watches.indexOf(watch), 1);
    for (const record of contacts.values()) record.watches.delete(watch.id);
  }
  for (const watch of changed) watches[watches.findIndex(({ id }) => id === watch.id)] = watch;
  watches.push(...structuredClone(added));
}
