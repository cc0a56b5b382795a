/** Tests of a contact's values, and of an event's properties. */
import type { ContactRow, ContactTest, OccurrenceTest, TestedField, ValueTest } from "../storage/rows.ts";
import type { Scalar } from "../model/types.ts";
import { effectiveExternalId } from "./find-contact.ts";

/** The value of a field as a test sees it: times are milliseconds; `null` if it is not set. */
export function fieldOf(contact: ContactRow, field: TestedField): string | number | null {
  return field === "externalId" ? effectiveExternalId(contact) : contact[field];
}

export function fulfils(contact: ContactRow, test: ContactTest): boolean {
  const value =
    "attributeId" in test ? contact.attributes[test.attributeId] : (fieldOf(contact, test.contactField) ?? undefined);
  return value !== undefined && isTrueOf(value, test);
}

/** Whether the properties, as JSON text, fulfil all of the tests. */
export function fulfilAll(properties: string, tests: OccurrenceTest["where"]): boolean {
  if (tests.length === 0) return true;
  const values = JSON.parse(properties) as Record<string, Scalar>;
  const isFulfilled = (test: OccurrenceTest["where"][number]): boolean => {
    if ("not" in test) return !isFulfilled(test.not);
    const value = Object.hasOwn(values, test.property) ? values[test.property] : undefined;
    return value !== undefined && isTrueOf(value, test);
  };
  return tests.every(isFulfilled);
}

function isTrueOf(value: Scalar, test: ValueTest): boolean {
  switch (test.operator) {
    case "is_set":
      return true;
    case "one_of":
      return test.values.includes(value);
    case "within":
      return typeof value === "number" && value >= (test.from ?? -Infinity) && value < (test.to ?? Infinity);
    // Comparing characters is the same as comparing bytes, because all texts are well-formed.
    case "contains":
      return typeof value === "string" && value.includes(test.text);
    case "starts_with":
      return typeof value === "string" && value.startsWith(test.text);
    case "ends_with":
      return typeof value === "string" && value.endsWith(test.text);
  }
}

/** The next larger double; the number must not be the largest one. Converts between inclusive and exclusive bounds. */
export function nextAbove(number: number): number {
  if (number === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([number]).buffer);
  // Among doubles of one sign, the one with the larger bits is farther from 0.
  bits[0]! += number > 0 ? 1n : -1n;
  // The array has one number. Adding 0 turns -0 into 0.
  return new Float64Array(bits.buffer)[0]! + 0;
}
