/** The grammar of periods: their types, and the span of each. */
import { TrackerError } from "./errors.ts";
import { parseTime } from "./times.ts";

/** A length of time: `days` (of 24 hours), `hours` or `minutes`. */
export type Length = { days: number } | { hours: number } | { minutes: number };

/**
 * With a length: from that long ago (included) on, without an end. Otherwise from `from` (included) to `to` (excluded), of which one
 * can be left out. Times are a `Date`, or an ISO 8601 date-time with a zone. `from` after `to` is refused, and nobody is in a period
 * with equal ends.
 */
export type PlainPeriod = PeriodWithStart | { from?: undefined; to: string | Date };

/** A plain period or, with `ago`, the time before the moment that long ago. */
export type Period = PlainPeriod | { ago: Length };

/** A period that has a beginning. */
export type PeriodWithStart = Length | { from: string | Date; to?: string | Date | undefined };

/** A period of a time that may lie ahead. With `next`: from now (included) until that long from now (excluded). */
export type PeriodOfTime = Period | { next: Length };

const unitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
type Unit = keyof typeof unitMs;
const unitNames = Object.keys(unitMs) as Unit[];

export interface Ends {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/** A span in milliseconds since the Unix epoch: `from` included, `to` excluded; `null` for an open end. */
export interface Span {
  from: number | null;
  to: number | null;
}

export function unitOf(period: Partial<Record<Unit, unknown>>): Unit | undefined {
  return unitNames.find((name) => period[name] !== undefined);
}

/** The span of a period at the time `now`. Throws `definition_unknown` for a period that only a later version knows. */
export function spanOf(period: PeriodOfTime, now: number): Span {
  const { from, to, ...others } = period as Ends;
  const hasEnds = from !== undefined || to !== undefined;
  const [part, ...more] = Object.entries(others);
  if (hasEnds === (part !== undefined) || more.length > 0) throw new TrackerError("definition_unknown");
  if (!part) return endsOf({ from, to });
  const [name, given] = part as [string, Length];
  if (name === "next") return { from: now, to: now + millisecondsOf(given) };
  if (name === "ago") return { from: null, to: now - millisecondsOf(given) };
  // No upper end: an event can have happened a little ahead of our clock.
  return { from: now - millisecondsOf(others as Length), to: null };
}

function millisecondsOf(length: Length): number {
  const [[unit, count] = ["", 0], ...more] = Object.entries(length);
  if (!Object.hasOwn(unitMs, unit) || more.length > 0) throw new TrackerError("definition_unknown");
  return count * unitMs[unit as Unit];
}

export function endsOf({ from, to }: Ends): Span {
  return { from: momentOf(from), to: momentOf(to) };
}

function momentOf(moment: string | Date | undefined): number | null {
  if (moment === undefined) return null;
  const time = parseTime(moment);
  if (typeof time !== "number") throw new TrackerError("definition_unknown");
  return time;
}
