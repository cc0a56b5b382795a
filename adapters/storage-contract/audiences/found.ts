/** Members as the tests tell them, and the conditions that several of them ask about. */
import assert from "node:assert/strict";
import type { Scalar } from "../../../lib/model/types.ts";
import type { Condition, ContactRow, ContactSlice, ValueTest } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { wholeList, workspace } from "../drafts.ts";
import { hostileValues } from "../values/index.ts";

export const did = (eventKey: string, from = 1): Condition => ({ eventKey, field: "count", from, to: null });
export const oneOf = (...values: Scalar[]): ValueTest => ({ operator: "one_of", values });
export const isSet: ValueTest = { operator: "is_set" };
export const within = (from: number | null, to: number | null): ValueTest => ({ operator: "within", from, to });

export async function findMembers(
  storage: Storage,
  condition: Condition,
  slice: Partial<ContactSlice> = {},
): Promise<ContactRow[]> {
  return (await storage.listMembers(workspace, condition, { ...wholeList, ...slice })).rows;
}

/** The first letters of the emails of those who meet the condition, which are as many as are counted. */
export async function lettersOf(storage: Storage, condition: Condition): Promise<string> {
  const members = await findMembers(storage, condition);
  assert.equal(await storage.countMembers(workspace, condition), members.length);
  return members.map(({ email }) => email[0]).join("");
}

/** The letters of those who meet the condition, and of those who meet the opposite. */
export async function membersOf(storage: Storage, condition: Condition): Promise<string> {
  return `${await lettersOf(storage, condition)} not ${await lettersOf(storage, { not: condition })}`;
}

/** Where one row has each of the hostile values: each test must find the rows whose values pass it, and no other. */
export async function findEachByItsValue(found: (test: ValueTest) => Promise<unknown[]>): Promise<void> {
  const numbers = hostileValues.filter((each) => typeof each === "number");
  const texts = hostileValues.filter((each) => typeof each === "string");
  for (const value of hostileValues) {
    assert.deepEqual(await found(oneOf(value)), [value]);
    assert.deepEqual(await found(oneOf(value, ...Array.from({ length: 20 }, (_, n) => `no ${n}`))), [value]);
    if (typeof value === "number") {
      const above = numbers.filter((each) => each >= value);
      assert.deepEqual(await found(within(value, null)), above);
      const below = numbers.filter((each) => each < value);
      assert.deepEqual(await found(within(null, value)), below);
    }
    if (typeof value !== "string" || value === "") continue;
    for (const [operator, isTrue] of [
      ["contains", (each: string) => each.includes(value)],
      ["starts_with", (each: string) => each.startsWith(value)],
      ["ends_with", (each: string) => each.endsWith(value)],
    ] as const) {
      assert.deepEqual(await found({ operator, text: value }), texts.filter(isTrue), `${operator} ${value}`);
    }
  }
}
