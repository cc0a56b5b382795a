import { isTaken } from "../../lib/decisions/changes.ts";
import type { ChangeDraft } from "../../lib/storage/change-rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Silenceable } from "../../lib/storage/rows.ts";
import { definitionsOf, type DefinitionsOf } from "./definitions.ts";
import { findInOrder } from "./order.ts";
import type { Tables } from "./tables.ts";
import { assertNotClosed, makeTables, type State } from "./view.ts";

const dayMs = 24 * 60 * 60 * 1_000;

export function createSubscriptions(
  state: State,
): Pick<Storage, "readClock" | "logChanges" | "listChanges" | "readLogEnd" | "removeOldChanges"> {
  return {
    async readClock() {
      assertNotClosed(state);
      return Date.now();
    },
    async logChanges() {
      assertNotClosed(state);
      return { logged: 0, more: false };
    },
    async listChanges(workspace, key, after, limit) {
      assertNotClosed(state);
      const subscription = definitionsOf(state, workspace, "subscription").find((row) => row.key === key);
      if (!subscription) return { refused: { code: "definition_not_found" } };
      const { contacts, changes } = makeTables(state, workspace);
      return changes.list(subscription, after, limit, (change) => {
        const record = change.kind === "event_recorded" ? contacts.get(change.contact.id) : undefined;
        if (change.kind !== "event_recorded" || !record) return null;
        const position = { createdAt: change.event.createdAt, id: change.id };
        return findInOrder(record.events, position)?.properties ?? null;
      });
    },
    async readLogEnd() {
      assertNotClosed(state);
      return state.positions.end;
    },
    async removeOldChanges(now) {
      assertNotClosed(state);
      for (const [workspace, { changes }] of state.workspaces) {
        const days = definitionsOf(state, workspace, "subscription").map(({ body }) => body.keepDays);
        changes.removeOld(now - Math.max(0, ...days) * dayMs);
      }
      return false;
    },
  };
}

/** Logs the changes of a write that a subscription of its workspace takes. Does not make them if there is no subscription. */
export function logChanges(
  { changes }: Tables,
  { workspace, notify }: { workspace: string } & Silenceable,
  definitions: DefinitionsOf,
  make: () => ChangeDraft[],
): void {
  const subscriptions = notify === false ? [] : definitions(workspace, "subscription");
  if (subscriptions.length === 0) return;
  for (const change of make()) {
    if (subscriptions.some(({ body }) => isTaken(body.on, change))) changes.append(change);
  }
}
