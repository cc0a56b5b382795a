export type Unit = "day" | "week" | "month" | "year";

/** The bars of a plot, one for each day, week, month or year, without a gap. */
export interface Bars {
  unit: Unit;
  /** The start of each bar in UTC, in seconds since the Unix epoch. Weeks start on Monday. */
  starts: number[];
  /** The number of events from each start until the next. */
  counts: number[];
}

/** More bars would be too narrow on a small screen. */
const barsMax = 62;
/** The smallest number of days in a plot. Otherwise a single day would be one bar as wide as the plot. */
const daysMin = 14;
const dayMs = 86_400_000;
const lengthsMs: readonly [Unit, number][] = [
  ["day", dayMs],
  ["week", 7 * dayMs],
  ["month", 30 * dayMs],
];

/** Counts times, in milliseconds since the Unix epoch, from the first until `now`. Uses the shortest unit that fits into `barsMax`. */
export function barsOf(times: readonly number[], now: number): Bars {
  const from = times.reduce((first, time) => Math.min(first, time), now - (daysMin - 1) * dayMs);
  const until = times.reduce((last, time) => Math.max(last, time), now);
  const [unit] = lengthsMs.find(([, lengthMs]) => until - from < (barsMax - 1) * lengthMs) ?? ["year"];
  const counts = new Map<number, number>();
  for (let start = startOf(from, unit); start <= until; start = nextStart(start, unit)) counts.set(start, 0);
  for (const time of times) {
    const start = startOf(time, unit);
    counts.set(start, counts.get(start)! + 1);
  }
  return { unit, starts: Array.from(counts.keys(), (start) => start / 1_000), counts: [...counts.values()] };
}

function startOf(time: number, unit: Unit): number {
  const start = new Date(time);
  start.setUTCHours(0, 0, 0, 0);
  if (unit === "week") start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7));
  if (unit === "month" || unit === "year") start.setUTCDate(1);
  if (unit === "year") start.setUTCMonth(0);
  return start.getTime();
}

function nextStart(start: number, unit: Unit): number {
  const next = new Date(start);
  if (unit === "day") next.setUTCDate(next.getUTCDate() + 1);
  if (unit === "week") next.setUTCDate(next.getUTCDate() + 7);
  if (unit === "month") next.setUTCMonth(next.getUTCMonth() + 1);
  if (unit === "year") next.setUTCFullYear(next.getUTCFullYear() + 1);
  return next.getTime();
}
