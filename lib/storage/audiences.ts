/** The part of the storage port about audiences, and the conditions on a contact that rules are turned into. */
import type { FieldRule, Scalar } from "../model/types.ts";
import type { ContactRow } from "./contacts.ts";
import type { PageRows, Slice } from "./pages.ts";

/** The methods for audiences. */
export interface AudienceStorage {
  /** The contacts that meet the condition, in order of id. Starts after the id of the position; its time is ignored. */
  listMembers(workspace: string, condition: Condition, slice: Slice): Promise<PageRows<ContactRow>>;

  /** The number of contacts that meet the condition. */
  countMembers(workspace: string, condition: Condition): Promise<number>;
}

/** Requires a summary of `eventKey` with `from` <= `field` < `to`, where `null` means no bound. */
export interface EventTest {
  eventKey: string;
  field: "count" | "firstAt" | "lastAt";
  from: number | null;
  to: number | null;
}

/**
 * Requires at least `count` events of `eventKey` with `from` <= `createdAt` < `to`, each of which fulfils all of `where`. Only
 * events that are stored count, not those that were pruned. `count` is at least 1. `to` is `null` for no bound.
 */
export interface OccurrenceTest {
  eventKey: string;
  count: number;
  from: number;
  to: number | null;
  where: readonly (PropertyTest | { not: PropertyTest })[];
}

/** A test of one property of an event. */
export type PropertyTest = { property: string } & ValueTest;

/**
 * Requires a value that is set. `one_of`: it equals one of the values, of which there is at least one. `contains`,
 * `starts_with`, `ends_with`: it is text, and has these bytes. The operand is not empty. `within`: it is a number, `from` <=
 * number < `to`. A bound that is `null` does not apply. Values of different types are never equal.
 */
export type ValueTest =
  | { operator: "is_set" }
  | { operator: "one_of"; values: readonly Scalar[] }
  | { operator: "contains" | "starts_with" | "ends_with"; text: string }
  | { operator: "within"; from: number | null; to: number | null };

/** The fields of a contact that a condition can test. `externalId` is the one shown: the contact's own, or else its email. */
export type TestedField = FieldRule["field"];

/**
 * Tests that every item of `itemKeys` was completed by hand. In every list of `counts`, none of them empty, one event key must have
 * been recorded at least `count` times. With `within` each item must have been completed at a known time, `from` <= time < `to`.
 */
export interface CompletionTest {
  checklistId: string;
  itemKeys: readonly string[];
  counts: readonly (readonly { eventKey: string; count: number }[])[];
  within?: { from: number | null; to: number | null };
}

/** A test of one field or attribute of the contact. No contact has a value for an unknown attribute id. */
export type ContactTest = ({ contactField: TestedField } | { attributeId: string }) & ValueTest;

/** A condition on a contact, its events, its summaries and its completions. `all` and `any` have at least one part. */
export type Condition =
  | EventTest
  | OccurrenceTest
  | ContactTest
  | CompletionTest
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition };
