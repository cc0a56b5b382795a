import { formatCount, formatSeconds } from "../progress.ts";
import type { Reason, RefusedRows } from "./refused-rows.ts";

/** The largest number of reasons, and of paths of omitted values, that have a count of their own. */
const namesMax = 50;

/** Counts the outcomes of the rows so far. */
export interface Tally {
  rows: number;
  /** The numbers of rows by outcome, such as `recorded`, without refused rows. */
  done: Record<string, number>;
  /** Rows of another kind. */
  others: number;
  refused: number;
  /** Refused rows by reason; a row counts once for each of its issues. */
  reasons: Record<string, number>;
  /** The numbers of omitted values, by path. */
  leftOut: Record<string, number>;
}

export function createTally(): Tally {
  return { rows: 0, done: {}, others: 0, refused: 0, reasons: noCounts(), leftOut: noCounts() };
}

/** Has no prototype, because a path can have any name. */
function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

export function countRefused(tally: Tally, { code, issues = [] }: Reason): void {
  tally.refused++;
  const reasons = issues.length > 0 ? new Set(issues.map((issue) => `${issue.path}: ${issue.code}`)) : [code];
  for (const reason of reasons) countName(tally.reasons, reason);
}

export function countName(counts: Record<string, number>, name: string): void {
  const isNew = !Object.hasOwn(counts, name);
  const counted = isNew && Object.keys(counts).length >= namesMax ? "others" : name;
  counts[counted] = (Object.hasOwn(counts, counted) ? counts[counted]! : 0) + 1;
}

/** The text that a run prints at its end. */
export function summaryOf(tally: Tally, kind: string, seconds: number, refusedRows: RefusedRows): string[] {
  const { rows, done, others, refused, reasons, leftOut } = tally;
  const lines = [`${formatCount(rows)} rows in ${formatSeconds(seconds)}, ${formatCount(rows / seconds)}/s`];
  for (const [what, count] of Object.entries(done)) lines.push(`  ${formatCount(count)} ${what}`);
  if (others > 0) lines.push(`  ${formatCount(others)} rows are no ${kind}`);
  if (refused > 0) {
    const { file, listed: count } = refusedRows;
    const part = count === refused ? "" : `${formatCount(count)} of them `;
    lines.push(
      `  ${formatCount(refused)} refused${file === null ? "" : `, ${part}listed in ${file}`}`,
      ...listed(reasons),
    );
  }
  if (Object.keys(leftOut).length > 0) lines.push("  values left out", ...listed(leftOut));
  return lines;
}

function listed(counts: Record<string, number>): string[] {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `    ${formatCount(count)} ${name}`);
}
