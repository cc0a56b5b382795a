/** The days of time zones, by the rules of the IANA database that the runtime has. */
const dayMs = 86_400_000;

export function isTimeZone(name: string): boolean {
  try {
    // Newer versions of Node also take offsets, such as +02:00.
    return /^[A-Z]/i.test(name) && offsetsOf(name) !== null;
  } catch {
    return false;
  }
}

/**
 * The first moments of days: of all days, or of Mondays if `days` is 7. From the last that is not after `from` to the first that is
 * not before `to`. Contains a moment twice if the zone has left out a day. Makes at most two more than `max`.
 */
export function startsOfDays(
  timeZone: string,
  days: 1 | 7,
  { from, to, max }: Record<"from" | "to" | "max", number>,
): number[] {
  const offsetAt = offsetsOf(timeZone);

  /** The first moment of a day that is given by its number, counted from 1 January 1970. */
  const startOf = (day: number): number => {
    const midnight = day * dayMs;
    // An offset is less than a day, and changes at most once in two days.
    const [before, after] = [midnight - dayMs, midnight + dayMs].map((near) => midnight - offsetAt(near));
    const isMidnight = (time: number): boolean => time + offsetAt(time) === midnight;
    // The earlier of two midnights. If the clock leaves midnight out, it does so at `before`.
    return isMidnight(after!) && !isMidnight(before!) ? after! : before!;
  };

  // A clock that is set back after midnight shows the day before once more. That time belongs to the new day.
  const shown = Math.floor((from + offsetAt(from)) / dayMs);
  const day = startOf(shown + 1) <= from ? shown + 1 : shown;
  // Day 4 was a Monday.
  const first = Math.floor((day - 4) / days) * days + 4;
  const starts = [startOf(first)];
  while (starts.at(-1)! < to && starts.length < max + 2) starts.push(startOf(first + starts.length * days));
  return starts;
}

/** Returns a function that finds the zone's offset from UTC in milliseconds. Throws a `RangeError` for an unknown zone. */
function offsetsOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (time) => {
    // The text ends as in `GMT+02:00`, and in `GMT` alone for 0. Offsets of the 19th century have seconds.
    const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(time)) ?? [];
    const size = sign === undefined ? 0 : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
    return (sign === "-" ? -1_000 : 1_000) * size;
  };
}
