// ISO 8601 extended format: seconds and their fraction may be left out, the zone may not.
const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::(\d\d))?)$/;

const firstMs = Date.parse("0001-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Milliseconds since the Unix epoch, cut, not rounded. `invalid_format` for what is no date-time with a zone, or no day of the
 * calendar; `out_of_range` outside the years 0001 to 9999 in UTC.
 */
export function parseTime(value: string | Date): number | "invalid_format" | "out_of_range" {
  // The method of every Date, whatever this one says of itself.
  const milliseconds = typeof value === "string" ? parseDateTime(value) : Date.prototype.getTime.call(value);
  if (Number.isNaN(milliseconds)) return "invalid_format";
  return milliseconds < firstMs || milliseconds > lastMs ? "out_of_range" : milliseconds;
}

function parseDateTime(text: string): number {
  const match = dateTime.exec(text);
  if (!match) return NaN;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number];
  const second = Number(match[6] ?? 0);
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const zoneHour = Number(match[9] ?? 0);
  const zoneMinute = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return NaN;
  const date = new Date(0);
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have lands in another.
  if (date.getUTCMonth() !== month - 1) return NaN;
  date.setUTCHours(hour, minute, second, millisecond);
  const zoneMinutes = (match[8] === "-" ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return date.getTime() - zoneMinutes * 60_000;
}

let formatted = { milliseconds: 0, text: new Date(0).toISOString() };

/** ISO 8601 in UTC with milliseconds, as every answer states times. A busy server states each one dozens of times. */
export function formatTime(milliseconds: number): string {
  if (milliseconds !== formatted.milliseconds) {
    formatted = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return formatted.text;
}
