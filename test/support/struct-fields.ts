import assert from "node:assert/strict";
import { check, type Input } from "../../lib/input/shapes.ts";
import type { Test } from "./suite.ts";

/** A test that the struct knows the fields before the comma, and none of the others. */
export function structFields<T>(test: Test, name: string, struct: Input<T>, fields: string): void {
  test(`${name} knows these keys and no other: ${fields}`, () => {
    const [known, unknown] = fields.split(", ").map((names) => names.split(" ")) as [string[], string[]];
    const input = Object.fromEntries([...known, ...unknown].map((key) => [key, () => {}]));
    assert.deepEqual(
      check(input, struct).issues.map(({ path, code }) => `${path} ${code}`),
      [...known.map((key) => `${key} wrong_type`), ...unknown.map((key) => `${key} unknown_field`)],
    );
  });
}
