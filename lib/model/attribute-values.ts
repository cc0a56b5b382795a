/** The values of attributes: as they are given, stored and shown. */
import { isDate } from "node:util/types";
import type { Scalar } from "./contact-types.ts";
import { valueTypes, type AttributeType, type ScalarType } from "./declarations.ts";
import { TrackerError } from "./errors.ts";
import { formatTime, parseDate } from "./times.ts";

/** Describes the values of the type in messages. */
export function wordsOf(type: AttributeType): string {
  return isScalarType(type) ? valueTypes[type].words : "a date, or a date-time with a zone, in ISO 8601";
}

/** The value as it is stored: a date in milliseconds since the Unix epoch. `null` if it has another type. */
export function storedValue(value: unknown, type: AttributeType): Scalar | null {
  if (!isScalarType(type)) {
    const time = typeof value === "string" || isDate(value) ? parseDate(value) : null;
    return typeof time === "number" ? time : null;
  }
  if (typeof value !== valueTypes[type].name) return null;
  // JSON.stringify writes -0 as 0, so every storage keeps 0.
  return Object.is(value, -0) ? 0 : (value as Scalar);
}

/** The value as it is answered: a date as a time. */
export function shownValue(value: Scalar, type: AttributeType): Scalar {
  return isScalarType(type) ? value : formatTime(value as number);
}

/** Throws `definition_unknown` for the type of a later version. */
export function assertKnownType(type: AttributeType): void {
  if (type !== "date" && !Object.hasOwn(valueTypes, type)) throw new TrackerError("definition_unknown");
}

/** Whether values of the type are stored as they are given. */
function isScalarType(type: AttributeType): type is ScalarType {
  assertKnownType(type);
  return type !== "date";
}
