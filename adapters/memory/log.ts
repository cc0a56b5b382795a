import { isTaken } from "../../lib/decisions/changes.ts";
import type { ChangeStorage, ChangeDraft } from "../../lib/storage/changes.ts";
import type { Refused, Silenceable, SubscriptionRow } from "../../lib/storage/rows.ts";
import type { ChangeLog } from "./changes/index.ts";
import type { Tables } from "./tables.ts";
import { assertNotClosed, definitionsOf, makeTables, type State } from "./view.ts";

const dayMs = 24 * 60 * 60 * 1_000;

export function createLogMethods(state: State): ChangeStorage {
  return {
    async readClock() {
      assertNotClosed(state);
      return Date.now();
    },
    async logChanges() {
      assertNotClosed(state);
      return { logged: 0, more: false };
    },
    listChanges: async (workspace, key, after, size, audienceKey) =>
      onSubscription(state, workspace, key, (log, subscription) => log.list(subscription, after, size, audienceKey)),
    async findWork(readers) {
      assertNotClosed(state);
      const next = readers.map((reader) => {
        const { workspace, key, after, slotState } = reader;
        const found = onSubscription(state, workspace, key, (log, subscription) => log.findNext(subscription, reader));
        if (!("refused" in found)) return found;
        return { found: found.refused.code === "changes_expired" || slotState !== null, position: after };
      });
      const all = [...state.workspaces];
      const isUnready = all.some(([, { watches }]) => watches.some(({ readyAt }) => readyAt === null));
      const isUsed = all.some(([workspace]) => definitionsOf(state, workspace, "subscription").length > 0);
      return { next, isUnlogged: false, isUnready, isUsed };
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

/** Calls the function with the log and the row of a subscription, or returns the refusal. Throws after `close`. */
export function onSubscription<Result>(
  state: State,
  workspace: string,
  key: string,
  run: (log: ChangeLog, subscription: SubscriptionRow) => Result,
): Result | Refused {
  assertNotClosed(state);
  const subscription = definitionsOf(state, workspace, "subscription").find((row) => row.key === key);
  if (!subscription) return { refused: { code: "definition_not_found" } };
  return run(makeTables(state, workspace).changes, subscription);
}

/** Logs the changes of a write that a subscription of its workspace takes. Calls `make` only if there is a subscription. */
export function logChanges({ changes, definitions }: Tables, { notify }: Silenceable, make: () => ChangeDraft[]): void {
  const subscriptions = notify === false ? [] : definitions("subscription");
  if (subscriptions.length === 0) return;
  for (const change of make()) {
    if (subscriptions.some(({ body }) => isTaken(body.on, change))) changes.append(change);
  }
}
