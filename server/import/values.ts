import type { Issue } from "../../lib/model/errors.ts";
import { parseTime } from "../../lib/model/times.ts";
import type { AttributeType } from "../../lib/model/types.ts";

/** A time is in seconds if it is below this number, otherwise in milliseconds. In seconds the number is in the year 5138. */
const firstMilliseconds = 100_000_000_000;

/** Reads a number, also as text, as a Unix time. Leaves everything else as it is. */
export function timeOf(value: unknown): unknown {
  const number = typeof value === "string" && /^\d{9,}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number") return value;
  const date = new Date(Math.abs(number) < firstMilliseconds ? number * 1_000 : number);
  return Number.isNaN(date.getTime()) ? value : date;
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** Converts the value to its defined type. Returns a value that cannot be converted unchanged, so that the write refuses it. */
export function valueOf(value: unknown, type: AttributeType | undefined): unknown {
  if (type === "date") return timeOf(value);
  if (type === "text") return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof value !== "string") return value;
  if (type === "number") return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : value;
  if (type === "boolean") return booleans[value.toLowerCase()] ?? value;
  return value;
}

/** Whether the event's only problem is that it is older than the events that are kept. */
export function isOlderThanKept(createdAt: unknown, issues: readonly Issue[], now: number): boolean {
  const [issue, ...others] = issues;
  if (others.length > 0 || issue?.path !== "createdAt" || issue.code !== "out_of_range") return false;
  const time = parseTime(createdAt as string | Date);
  return typeof time === "number" && time < now;
}
