import assert from "node:assert/strict";
import { fillPage } from "../../../lib/decisions/pages.ts";
import { suite } from "../../support/suite.ts";

suite("the end of a page", (test) => {
  test("is that of the list, or comes before a row for which there is no room", () => {
    const pageOf = (limit: number) => fillPage([1, 2, 3], limit, String);
    assert.deepEqual(pageOf(2), { rows: ["1", "2"], more: true });
    assert.deepEqual(pageOf(3), { rows: ["1", "2", "3"], more: false });
  });

  test("is found with one row more", () => {
    const seen: number[] = [];
    fillPage([1, 2, 3, 4], 2, (row) => seen.push(row));
    assert.deepEqual(seen, [1, 2, 3]);
  });
});
