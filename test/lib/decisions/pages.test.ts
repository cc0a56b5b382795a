import assert from "node:assert/strict";
import { bytesOfRow, fillPage } from "../../../lib/decisions/pages.ts";
import { suite } from "../../support/suite.ts";

suite("the end of a page", (test) => {
  test("is that of the list, or comes before a row for which there is no room", () => {
    const pageOf = (limit: number, maxBytes: number) => fillPage(["é", "b", "c"], { limit, maxBytes }, String);
    assert.deepEqual(pageOf(2, 10), { rows: ["é", "b"], more: true });
    assert.deepEqual(pageOf(3, 4), { rows: ["é", "b", "c"], more: false });
    assert.deepEqual(pageOf(3, 3), { rows: ["é", "b"], more: true });
    assert.deepEqual(pageOf(3, 1), { rows: ["é"], more: true });
  });

  test("is found with one row more", () => {
    const seen: number[] = [];
    fillPage([1, 2, 3, 4], { limit: 2, maxBytes: 100 }, (row) => seen.push(row));
    assert.deepEqual(seen, [1, 2, 3]);
  });

  test("comes after about as many bytes as the JSON of the rows has", () => {
    const row = { id: "1", name: null, attributes: { a: "text", b: 1.5, c: true }, tags: ["é", "😀"] };
    const bytes = Buffer.byteLength(JSON.stringify(row));
    assert.ok(Math.abs(bytesOfRow(row) - bytes) < bytes / 2, `${bytesOfRow(row)} of ${bytes}`);
  });
});
