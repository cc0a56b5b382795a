import type { LoggedCall } from "./history.ts";

/** A deletion of a workspace. Times are in microseconds. */
export interface WorkspaceDeletion {
  begin: number;
  /** When it has ended for certain. */
  end: number;
  isAnswered: boolean;
  /** All rows from before this time are gone. `-Infinity` if it was not answered. */
  goneBefore: number;
  /** A write that begins and ends between these times is refused. */
  refusedFrom: number;
  refusedUntil: number;
}

/** What a killed process has sent, or a database did not answer, may take effect for so long. */
const afterlife = 20_000_000;
/** The answer follows the removal of the mark so soon, also if the COMMIT had to be tried again. */
const answerDelayMax = 10_000_000;
/** For so long before that answer every process knows the mark (`longestCallMs` of the adapter). */
const known = 15_000_000;
/** A deletion that ends sooner has not removed the mark. */
const settled = 17_000_000;

/** The deletions of the workspace among all calls. */
export function toWorkspaceDeletions(calls: readonly LoggedCall[], workspace: string): WorkspaceDeletion[] {
  const firstOf = new Map<string, number>();
  for (const { id, begin } of calls) {
    const process = processOf(id, 0);
    firstOf.set(process, Math.min(firstOf.get(process) ?? Infinity, begin));
  }
  const lastBegin = Math.max(...firstOf.values());
  const spans = calls
    .filter(({ call }) => call.do === "deleteWorkspace" && call.workspace === workspace)
    .map(({ id, begin, end, result }) => {
      const isAnswered = result !== null && "ok" in result;
      // The call of a killed process ends before its successor begins, or before the last workspaces are deleted.
      const last = result ? end : (firstOf.get(processOf(id, 1)) ?? lastBegin);
      const mayRemoveMark = isAnswered || last > begin + settled;
      return { begin, end: isAnswered ? end : last + afterlife, isAnswered, mayRemoveMark };
    });
  return spans.map((span): WorkspaceDeletion => {
    const { begin, end, isAnswered } = span;
    // Another one at the same time may have removed the mark earlier.
    const isMet = spans.some(
      (other) => other !== span && other.mayRemoveMark && other.begin < end && other.end > begin,
    );
    const isExact = isAnswered && !isMet;
    return {
      ...span,
      goneBefore: isExact ? Math.max(begin, end - answerDelayMax) : isAnswered ? begin : -Infinity,
      refusedFrom: isExact ? Math.max(begin, end - known) : Infinity,
      refusedUntil: end - answerDelayMax,
    };
  });
}

/** The worker and its number of lives, so many lives later. */
function processOf(callId: string, later: number): string {
  const [worker, life] = callId.split(".");
  return `${worker}.${Number(life) + later}`;
}

/** Whether a deletion that was answered has removed all that was there at that time. */
export function isGone(deletions: readonly WorkspaceDeletion[], at: number): boolean {
  return deletions.some(({ goneBefore }) => at < goneBefore);
}

/** Whether a deletion may have removed what was written after that time. */
export function mayBeGone(deletions: readonly WorkspaceDeletion[], since: number): boolean {
  return deletions.some(({ end }) => end > since);
}

/** Whether a write that began and was answered at these times had to be refused. */
export function mustBeRefused(deletions: readonly WorkspaceDeletion[], begin: number, answeredAt: number): boolean {
  return deletions.some(({ refusedFrom, refusedUntil }) => begin > refusedFrom && answeredAt < refusedUntil);
}

/** A process knows for so long that a workspace was marked. */
const cached = 3_000_000;

/** Whether a call may have met the mark of a workspace. */
export function mayBeRefused(deletions: readonly WorkspaceDeletion[], begin: number, end: number): boolean {
  const over = deletions.filter((one) => one.isAnswered && one.end + cached < begin);
  return deletions.some((one) => {
    // An interrupted deletion leaves the mark to the next one.
    const isOver = over.includes(one) || over.some((other) => other.begin > one.end);
    return one.begin < end && !isOver;
  });
}
