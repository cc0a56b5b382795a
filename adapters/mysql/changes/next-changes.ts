/** Finds the work that a process can do now. */
import { isTaken } from "../../../lib/decisions/changes.ts";
import type { ChangeStorage, ChangeDraft, ChangeReader, FoundWork, NextChange } from "../../../lib/storage/changes.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import { nextChangesLookedAt } from "../limits.ts";
import { changeStatements, keyedTopics, text, textOrNull, type Row } from "../sql/index.ts";
import type { OwnRunner } from "../transactions/index.ts";

/** The changes of one kind, and of one event key or audience, after the position of a workspace's first reader. */
interface Kind {
  change: Parameters<typeof isTaken>[1];
  first: number;
  last: number;
}

/** A subscription, the positions that it accepts, and the state of its slots. */
interface Subscription {
  on: SubscriptionRow["body"]["on"];
  first: number;
  end: number;
  slotState: string | null;
  isDue: boolean;
}

export function createNextChanges(runner: OwnRunner): Pick<ChangeStorage, "findWork"> {
  return {
    async findWork(readers) {
      const copies = readers.map((reader) => ({ ...reader }));
      const positions = new Map<string, number>();
      for (const { workspace, after } of copies) {
        positions.set(workspace, Math.min(after, positions.get(workspace) ?? after));
      }
      const [first, ...rows] = await runner.read((work) =>
        work.rows(changeStatements.findWork(copies, positions, nextChangesLookedAt)),
      );
      // The statement returns its first row even without readers.
      const { first_position, last_position, change_count } = first!;
      return {
        next: answersTo(copies, rows),
        isUnlogged: Number(first_position) === 1,
        isUnready: Number(last_position) === 1,
        isUsed: Number(change_count) === 1,
      };
    },
  };
}

function answersTo(readers: readonly ChangeReader[], rows: readonly Row[]): FoundWork["next"] {
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
      const [slotState, isDue] = [textOrNull(row.slot_state), Number(row.is_due) === 1];
      subscriptions.set(`${workspace} ${name}`, { on: keyedTopics(on), first, end: last, slotState, isDue });
    }
  }
  return readers.map((reader) => {
    const subscription = subscriptions.get(`${reader.workspace} ${reader.key}`);
    return nextOf(reader, subscription, kinds.get(reader.workspace) ?? [], lookedAt < nextChangesLookedAt);
  });
}

function nextOf(
  { after, slotState }: ChangeReader,
  subscription: Subscription | undefined,
  kinds: readonly Kind[],
  isWhole: boolean,
): NextChange {
  // A consumer with the state `null` waits until its subscription is created.
  if (!subscription) return { found: slotState !== null, position: after };
  const isRefused = after < subscription.first || after > subscription.end;
  const isConsumed = slotState !== undefined && (slotState !== subscription.slotState || subscription.isDue);
  if (isRefused || isConsumed) return { found: true, position: after };
  const taken = kinds.filter(({ change, last }) => last > after && isTaken(subscription.on, change));
  // If `first` is before the reader's position, the next change of the kind can be anywhere after that position.
  const next = Math.min(...taken.map(({ first }) => Math.max(first - 1, after)));
  if (taken.length > 0) return { found: true, position: next };
  return { found: false, position: isWhole ? subscription.end : Math.max(after, ...kinds.map(({ last }) => last)) };
}
