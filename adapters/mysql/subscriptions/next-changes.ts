/** Finds for the readers of a process whether their subscriptions take a change. */
import { isTaken } from "../../../lib/decisions/changes.ts";
import type { ChangeStorage } from "../../../lib/storage/change-port.ts";
import type { ChangeDraft, ChangeReader, NextChange } from "../../../lib/storage/change-rows.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import { nextChangesLookedAt } from "../limits.ts";
import { changeStatements, text, textOrNull, type Row } from "../sql/index.ts";
import type { OwnRunner } from "../transactions/index.ts";

/** The changes of one kind and of one event or audience that follow the first reader of a workspace. */
interface Kind {
  change: Parameters<typeof isTaken>[1];
  first: number;
  last: number;
}

/** A subscription, and the positions that it accepts. */
interface Subscription {
  on: SubscriptionRow["body"]["on"];
  first: number;
  end: number;
}

export function createNextChanges(runner: OwnRunner): Pick<ChangeStorage, "findNextChanges"> {
  return {
    async findNextChanges(readers) {
      const copies = readers.map((reader) => ({ ...reader }));
      const positions = new Map<string, number>();
      for (const { workspace, after } of copies) {
        positions.set(workspace, Math.min(after, positions.get(workspace) ?? after));
      }
      if (copies.length === 0) return [];
      const rows = await runner.read((work) =>
        work.rows(changeStatements.findNext(copies, positions, nextChangesLookedAt)),
      );
      return answersTo(copies, rows);
    },
  };
}

function answersTo(readers: readonly ChangeReader[], rows: readonly Row[]): NextChange[] {
  const subscriptions = new Map<string, Subscription>();
  const kinds = new Map<string, Kind[]>();
  let lookedAt = 0;
  for (const row of rows) {
    const [workspace, name] = [text(row.workspace), textOrNull(row.name) ?? ""];
    const [first, last] = [Number(row.first_position), Number(row.last_position)];
    if (row.body === null) {
      const change = { kind: text(row.kind) as ChangeDraft["kind"], event: { eventKey: name }, audienceKey: name };
      kinds.set(workspace, [...(kinds.get(workspace) ?? []), { change, first, last }]);
      lookedAt += Number(row.change_count);
    } else {
      const { on } = JSON.parse(text(row.body)) as SubscriptionRow["body"];
      subscriptions.set(`${workspace} ${name}`, { on, first, end: last });
    }
  }
  return readers.map(({ workspace, key, after }) => {
    const subscription = subscriptions.get(`${workspace} ${key}`);
    return nextOf(after, subscription, kinds.get(workspace) ?? [], lookedAt < nextChangesLookedAt);
  });
}

function nextOf(
  after: number,
  subscription: Subscription | undefined,
  kinds: readonly Kind[],
  isWhole: boolean,
): NextChange {
  const isRefused = !subscription || after < subscription.first || after > subscription.end;
  if (isRefused) return { found: true, position: after };
  const taken = kinds.filter(({ change, last }) => last > after && isTaken(subscription.on, change));
  // A kind with changes before the reader may have the next one anywhere.
  const next = Math.min(...taken.map(({ first }) => Math.max(first - 1, after)));
  if (taken.length > 0) return { found: true, position: next };
  return { found: false, position: isWhole ? subscription.end : Math.max(after, ...kinds.map(({ last }) => last)) };
}
