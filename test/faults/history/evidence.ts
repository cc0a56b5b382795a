import { groupBy } from "../groups.ts";
import { emptying, namesOf, pastKey, slots, upserts } from "./calls.ts";
import { contactIdOf, toPerformed, type LoggedCall, type Performed } from "./history.ts";
import type { LogLine, ReadChange } from "./log.ts";
import { rowsOf, type Rows } from "./rows.ts";
import { isGone, mayBeGone, toWorkspaceDeletions, type WorkspaceDeletion } from "./workspace-deletions.ts";

/** Something that must not be, and the calls concerned. */
export interface Finding {
  text: string;
  callIds: string[];
}

/** What the rows of one workspace are held to. */
export interface Evidence {
  calls: LoggedCall[];
  performed: Performed[];
  rows: Rows;
  /** By the reader, in its order. */
  reads: Map<string, ReadChange[]>;
  /** Whether a read may be older than a write through another node. */
  isCluster: boolean;
  /** The steps that were done and answered, by the contact of their answer. */
  byContact: Map<string, Performed[]>;
  /** The deletions of the workspace, those that were not answered too. */
  workspaceDeletions: WorkspaceDeletion[];
  /** The workspaces that were deleted after all other calls. */
  emptied: string[];
  /** The deletions that were answered, by contact. In a deleted workspace: the first call that has met the contact. */
  deletions: Map<string, Performed[]>;
  /** The contacts whose rows may have come back after a deletion, see `isReborn`. */
  reborn: Set<string>;
  /** Events from before this time may be pruned, those from before `prunedBefore` must be. Only those of the past. */
  prunableBefore: number;
  prunedBefore: number;
}

/** `clockOffset` is what turns the times of lines into microseconds since the Unix epoch. */
export function gather(
  workspace: string,
  all: readonly LoggedCall[],
  lines: readonly LogLine[],
  allRows: Rows,
  isCluster: boolean,
  clockOffset: number,
): Evidence {
  const calls = all.filter(({ call }) => (call.workspace ?? "default") === workspace);
  const rows = rowsOf(allRows, workspace);
  const workspaceDeletions = toWorkspaceDeletions(all, workspace);
  const performed = toPerformed(calls, rows.own);
  const done = performed.filter(({ outcome }) => outcome === "done");
  const byContact = groupBy(done, contactIdOf);
  const isOfGone = ({ answeredAt }: Performed): boolean => isGone(workspaceDeletions, answeredAt);
  const deletions = groupBy(
    done.filter((one) => one.answer?.deleted !== undefined || isOfGone(one)),
    contactIdOf,
  );
  const reads = lines.flatMap((line) => ("read" in line ? { reader: line.id, ...line.read } : []));
  const prunings = calls.filter(({ call }) => call.do === "prune");
  const latest = (some: readonly LoggedCall[]): number =>
    Math.max(0, ...some.map(({ call }) => Date.parse(call.before!)));
  const deleted = workspace === "default" ? [...deletions.keys()] : [];
  const reborn = deleted.filter((id) => isReborn(id, performed, deletions.get(id)!, rows, clockOffset));
  return {
    calls,
    performed,
    rows,
    reads: groupBy(reads, ({ reader }) => reader),
    isCluster,
    byContact,
    workspaceDeletions,
    emptied: all.flatMap(({ id, call }) => (id.startsWith(emptying) ? call.workspace! : [])),
    deletions,
    reborn: new Set(reborn),
    prunableBefore: latest(prunings),
    prunedBefore: latest(prunings.filter(({ result }) => result !== null && "ok" in result)),
  };
}

/**
 * An upsert whose COMMIT was not answered is tried again. If the contact that it had created was deleted in between, the next
 * try creates it again, with the same id. Such a contact is not judged by the order of its calls.
 */
function isReborn(
  id: string,
  performed: readonly Performed[],
  deletions: readonly Performed[],
  rows: Rows,
  clockOffset: number,
): boolean {
  const since = Math.min(...deletions.map(({ begin }) => begin));
  const isCreation = (one: Performed): boolean =>
    upserts(one.step) && contactIdOf(one) === id && one.answer?.created !== false && one.end > since;
  if (performed.some(isCreation)) return true;
  const createdAt = rows.contacts.get(id)?.createdAt;
  if (createdAt === undefined) return false;
  // The clock may have been set meanwhile.
  const toleranceMs = 1_000;
  return performed.some(({ step, outcome, begin, end }) => {
    if (!upserts(step) || outcome !== "unknown") return false;
    const begun = (begin + clockOffset) / 1_000 - toleranceMs;
    return createdAt >= begun && createdAt <= (end + clockOffset) / 1_000 + toleranceMs;
  });
}

/** Whether a deletion that was not answered, or whose contact no answer names, may have removed contacts of the slot since. */
export function mayBeDeleted({ performed, workspaceDeletions }: Evidence, slot: number, since: number): boolean {
  return (
    mayBeGone(workspaceDeletions, since) ||
    performed.some(
      ({ step, outcome, end }) => step.do === "delete" && outcome === "unknown" && step.slot === slot && end > since,
    )
  );
}

export function isPrunable({ prunableBefore }: Evidence, event: { eventKey: string; createdAt: number }): boolean {
  return event.eventKey === pastKey && event.createdAt < prunableBefore;
}

/** The slot whose names the contact has. */
export function slotOfEmail(email: string): number {
  return Array.from({ length: slots }, (_, slot) => slot).find((slot) => namesOf(slot).emails.includes(email)) ?? -1;
}
