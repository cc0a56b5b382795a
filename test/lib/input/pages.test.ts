import assert from "node:assert/strict";
import { decodeContactCursor, decodeCursor, encodeContactCursor, encodeCursor } from "../../../lib/input/pages.ts";
import type { Tracker } from "../../../lib/index.ts";
import { issuesOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const id = "0199aabb-ccdd-7eef-8011-223344556677";

/** Some contacts, all of the same millisecond. */
async function trackerOf(contacts: number): Promise<{ tracker: Tracker; emails: string[] }> {
  const { tracker } = stoppedTracker();
  const emails = Array.from({ length: contacts }, (_, index) => `c${index}@example.com`);
  for (const email of emails) await tracker.contacts.upsert({ email });
  return { tracker, emails };
}

suite("cursors", (test) => {
  for (const createdAt of [0, 1_769_850_000_000, -62_135_596_800_000]) {
    test(`the position of the time ${createdAt} survives its cursor`, () => {
      assert.deepEqual(decodeCursor(encodeCursor({ createdAt, id })), { createdAt, id });
    });
  }

  for (const order of ["oldest", "newest"] as const) {
    for (const query of ["", " ", "  a b ", "\0", "É😀"]) {
      test(`the ${order} first and the query ${JSON.stringify(query)} survive their cursor`, () => {
        const row = { createdAt: -1, id };
        for (const after of query === "" ? [row] : [row, { ...row, byWord: true as const }]) {
          const position = { ...after, order, query };
          assert.deepEqual(decodeContactCursor(encodeContactCursor(position)), position);
        }
      });
    }
  }

  test("a cursor of contacts from before there were queries is that of all, oldest first", () => {
    const position = { createdAt: 1, id, order: "oldest", query: "" };
    assert.deepEqual(decodeContactCursor(encodeCursor({ createdAt: 1, id })), position);
  });

  test("a cursor can stand in a URL as it is", () => {
    assert.match(encodeCursor({ createdAt: 1_769_850_000_000, id }), /^[A-Za-z0-9_-]+$/);
  });

  const base64url = (text: string): string => Buffer.from(text).toString("base64url");
  const foreign = {
    "empty text": "",
    "an id": id,
    "a sentence": "the next page, please",
    "a cursor with an end": `${encodeCursor({ createdAt: 1, id })}A`,
    "a cursor with padding": `${encodeCursor({ createdAt: 10, id })}=`,
    "a time without an id": base64url("1769850000000"),
    "an id without a time": base64url(` ${id}`),
    "a time of words": base64url(`now ${id}`),
    "a time of fractions": base64url(`1.5 ${id}`),
    "a time that overflows": base64url(`1e400 ${id}`),
    "a time spelled otherwise": base64url(`+1 ${id}`),
    "an id that is none": base64url("1 0199aabb"),
    "an order that is none": base64url(`1 ${id} latest a`),
    "an order without a query": base64url(`1 ${id} newest`),
  };
  for (const [what, cursor] of Object.entries(foreign)) {
    test(`${what} is refused as a cursor`, async () => {
      const { tracker } = stoppedTracker();
      await tracker.contacts.upsert({ email: "ada@example.com" });
      assert.deepEqual(await issuesOf(tracker.contacts.list({ cursor })), ["cursor invalid_format"]);
      assert.deepEqual(await issuesOf(tracker.events.list("ada@example.com", { cursor })), ["cursor invalid_format"]);
    });
  }

  test("a cursor is text", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.list(untyped({ cursor: 5 }))), ["cursor wrong_type"]);
    assert.deepEqual(await issuesOf(tracker.contacts.list(untyped({ cursor: null }))), ["cursor not_allowed_null"]);
  });

  test("an empty list is one empty page", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await tracker.contacts.list(), { items: [], nextCursor: null });
  });

  test("a page holds 100 unless told otherwise", async () => {
    const { tracker } = await trackerOf(101);
    const { items, nextCursor } = await tracker.contacts.list();
    assert.equal(items.length, 100);
    assert.equal(typeof nextCursor, "string");
  });

  test("a page may hold 1,000", async () => {
    const { tracker } = await trackerOf(101);
    assert.equal((await tracker.contacts.list({ limit: 1_000 })).items.length, 101);
  });

  test("a cursor carries query and order, which may be repeated beside it and not changed", async () => {
    const { tracker } = await trackerOf(4);
    const request = { query: "C", order: "newest" } as const;
    const { items, nextCursor } = await tracker.contacts.list({ ...request, limit: 2 });
    assert.deepEqual(
      items.map(({ email }) => email),
      ["c3@example.com", "c2@example.com"],
    );
    const cursor = nextCursor!;
    const rest = await tracker.contacts.list({ cursor });
    assert.deepEqual(
      rest.items.map(({ email }) => email),
      ["c1@example.com", "c0@example.com"],
    );
    assert.deepEqual(await tracker.contacts.list({ ...request, cursor }), rest);
    for (const other of [{ query: "c" }, { order: "oldest" }] as const) {
      assert.deepEqual(await issuesOf(tracker.contacts.list({ ...other, cursor })), ["cursor invalid_format"]);
    }
    assert.deepEqual(await issuesOf(tracker.events.recent({ cursor })), ["cursor invalid_format"]);
  });

  for (const limit of [0, -1, 1_001, 1.5, NaN, Infinity]) {
    test(`a limit of ${limit} is refused`, async () => {
      const { tracker } = stoppedTracker();
      assert.deepEqual(await issuesOf(tracker.contacts.list({ limit })), ["limit out_of_range"]);
    });
  }

  test("a limit is a number", async () => {
    const { tracker } = stoppedTracker();
    assert.deepEqual(await issuesOf(tracker.contacts.list(untyped({ limit: "10" }))), ["limit wrong_type"]);
  });
});
