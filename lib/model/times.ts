// ISO 8601 extended format. The seconds and their fraction are optional; the zone is required. RFC 3339 allows `t` and `z`.
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::(\d\d))?)$/;

const firstMs = Date.parse("0001-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Returns milliseconds since the Unix epoch; fractions are cut off. Returns `invalid_format` for a text that is not a
 * date-time with a zone, or a day that the calendar does not have. Returns `out_of_range` outside the years 0001 to 9999 in UTC.
 */
export function parseTime(value: string | Date): number | "invalid_format" | "out_of_range" {
  // The caller's object may override `getTime`.
  const milliseconds = typeof value === "string" ? parseDateTime(value) : Date.prototype.getTime.call(value);
  if (Number.isNaN(milliseconds)) return "invalid_format";
  return milliseconds < firstMs || milliseconds > lastMs ? "out_of_range" : milliseconds;
}

const dateAlone = /^\d{4}-\d\d-\d\d$/;

/** Like `parseTime`, but a date alone is its first millisecond in UTC. */
export function parseDate(value: string | Date): ReturnType<typeof parseTime> {
  return parseTime(typeof value === "string" && dateAlone.test(value) ? `${value}T00:00Z` : value);
}

let parsed = { text: "", milliseconds: NaN };

/** Keeps the last result: the time of an event is checked, and then read. */
function parseDateTime(text: string): number {
  if (text !== parsed.text) parsed = { text, milliseconds: readDateTime(text) };
  return parsed.milliseconds;
}

function readDateTime(text: string): number {
  const match = dateTime.exec(text);
  if (!match) return NaN;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number];
  const second = Number(match[6] ?? 0);
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const zoneHour = Number(match[9] ?? 0);
  const zoneMinute = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return NaN;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have moves the date into the next month.
  if (date.getUTCMonth() !== month - 1) return NaN;
  date.setUTCHours(hour, minute, second, millisecond);
  const zoneMinutes = (match[8] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return date.getTime() - zoneMinutes * 60_000;
}

let formatted = { milliseconds: 0, text: new Date(0).toISOString() };

/** The time in ISO 8601, in UTC with milliseconds. Keeps the last result: a busy server formats one time dozens of times. */
export function formatTime(milliseconds: number): string {
  if (milliseconds !== formatted.milliseconds) {
    formatted = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return formatted.text;
}
