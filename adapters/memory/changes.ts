/** The logs of changes. A change gets its position when its transaction is committed, so the log is the order of the commits. */
import { isTaken } from "../../lib/decisions/changes.ts";
import type { ChangeDraft, ChangeRow } from "../../lib/storage/change-rows.ts";
import type { Refused, SubscriptionRow } from "../../lib/storage/rows.ts";

/** The part of a log that writes use. */
export interface ChangeWriter {
  append(change: ChangeDraft): void;
  /** Removes all changes of the contact. */
  forget(contactId: string): void;
}

type Logged = ChangeDraft & { position: number };

/** The log of one workspace. */
export interface ChangeLog extends ChangeWriter {
  /** Begins a subscription that was created. */
  begin(subscriptionId: string): void;
  list(
    subscription: SubscriptionRow,
    after: number | "newest" | null,
    limit: number,
    propertiesOf: (change: ChangeDraft) => string | null,
  ): { changes: ChangeRow[]; position: number } | Refused;
  /** Removes the changes that were logged before the time. */
  removeOld(before: number): void;
}

/** More would take the memory of the process. */
const changesMax = 100_000;
/** How many changes a full log removes at once: removing the first of an array moves all others. */
const removedAtOnce = 1_000;

/** The positions that the logs of all workspaces share. They are microseconds, so that none occurs twice. */
export interface Positions {
  /** The last one that was given out. */
  end: number;
}

/** Makes an empty log. `subscriptions` returns those of its workspace. */
export function createLog(subscriptions: () => readonly SubscriptionRow[], positions: Positions): ChangeLog {
  let changes: Logged[] = [];
  // The smallest valid position of each subscription, by id.
  const begins = new Map<string, number>();
  const nextPosition = (): number => (positions.end = Math.max(positions.end + 1, Date.now() * 1_000));

  function removeFirst(count: number): void {
    const removed = changes.splice(0, count);
    for (const { id, body } of subscriptions()) {
      const last = removed.findLast((change) => isTaken(body.on, change));
      // Each subscription has begun.
      if (last) begins.set(id, Math.max(begins.get(id)!, last.position));
    }
  }

  return {
    append(change) {
      changes.push({ ...change, position: nextPosition() });
      if (changes.length > changesMax) removeFirst(removedAtOnce);
    },
    forget(contactId) {
      changes = changes.filter(({ contact }) => contact.id !== contactId);
    },
    begin: (subscriptionId) => void begins.set(subscriptionId, nextPosition()),
    list({ id, body }, after, limit, propertiesOf) {
      // Each subscription has begun.
      const begin = begins.get(id)!;
      const isNewest = after === "newest";
      const from = isNewest ? begin : (after ?? begin);
      const { end } = positions;
      if (from < begin || from > end) return { refused: { code: "changes_expired" } };
      const later = changes.slice(changes.findLastIndex(({ position }) => position <= from) + 1);
      if (isNewest) later.reverse();
      const found: ChangeRow[] = [];
      for (const change of later) {
        if (found.length === limit) break;
        if (isTaken(body.on, change)) found.push({ ...structuredClone(change), properties: propertiesOf(change) });
      }
      if (isNewest) return { changes: found.reverse(), position: end };
      // A full page ends at its last change.
      return { changes: found, position: found.length === limit ? found.at(-1)!.position : end };
    },
    removeOld(before) {
      removeFirst(changes.findLastIndex(({ position }) => position < before * 1_000) + 1);
    },
  };
}

/** Keeps the writes to a log for `apply`, which repeats them on it. */
export function overlayLog(base: ChangeWriter): ChangeWriter & { apply(): void } {
  const writes: ((log: ChangeWriter) => void)[] = [];
  return {
    append: (change) => writes.push((log) => log.append(change)),
    forget: (contactId) => writes.push((log) => log.forget(contactId)),
    apply() {
      for (const write of writes) write(base);
    },
  };
}
