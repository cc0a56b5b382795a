import assert from "node:assert/strict";
import type { Tracker } from "../../../lib/index.ts";
import { url } from "../../../lib/input/fields.ts";
import { check } from "../../../lib/input/shapes.ts";
import { refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

type Call = (tracker: Tracker) => Promise<unknown>;

const contact =
  (fields: object): Call =>
  (tracker) =>
    tracker.contacts.upsert(untyped({ email: "ada@example.com", ...fields }));
const event =
  (fields: object): Call =>
  (tracker) =>
    tracker.events.track(untyped({ externalId: "ada@example.com", eventKey: "step", ...fields }));
const rule =
  (fields: unknown): Call =>
  (tracker) =>
    tracker.audiences.count(untyped(fields));
const checklist =
  (items: unknown): Call =>
  (tracker) =>
    tracker.checklists.define(untyped({ key: "start", name: "Start", items }));
const did = { kind: "has_done", eventKey: "step" };

/** What is wrong, and what the message says that is expected. */
const cases: [what: string, call: Call, message: string][] = [
  ["no email", contact({ email: undefined }), "email: required."],
  ["null for an email", contact({ email: null }), "email: must not be null."],
  ["no email address", contact({ email: "ada" }), "email: must be an email address."],
  ["a long email", contact({ email: `${"x".repeat(250)}@a.bc` }), "email: too long: at most 254 bytes of UTF-8."],
  ["a blank externalId", contact({ externalId: " " }), "externalId: must not be blank."],
  [
    "an externalId with white space",
    contact({ externalId: " a" }),
    "externalId: must be without white space at its ends, and without NUL.",
  ],
  ["a name that is none", contact({ name: [] }), "name: must be text."],
  [
    "a lone surrogate",
    contact({ name: "\ud800" }),
    "name: must be text without lone surrogates, which UTF-8 cannot hold.",
  ],
  ["an avatarUrl that is none", contact({ avatarUrl: "/ada.png" }), "avatarUrl: must be an absolute http(s) URL."],
  [
    "a time without a zone",
    contact({ signedUpAt: "2026-01-31T09:00:00" }),
    "signedUpAt: must be a date-time with a zone, such as 2026-01-31T09:00:00Z.",
  ],
  [
    "a number for a time",
    contact({ signedUpAt: 0 }),
    "signedUpAt: must be a date-time with a zone, such as 2026-01-31T09:00:00Z.",
  ],
  [
    "a year 0",
    contact({ signedUpAt: "0000-01-01T00:00:00Z" }),
    "signedUpAt: must lie in the years 0001 to 9999, in UTC.",
  ],
  ["a list of attributes", contact({ customAttributes: [] }), "customAttributes: must be an object."],
  [
    "a list for an attribute",
    contact({ customAttributes: { a: [] } }),
    "customAttributes.a: must be text, a number or a boolean.",
  ],
  ["a control character", event({ eventKey: "a\n" }), "eventKey: must be without control characters."],
  [
    "a time ahead of the clock",
    event({ createdAt: "2026-01-31T09:05:00.001Z" }),
    "createdAt: must be at most 5 minutes ahead of the clock.",
  ],
  [
    "a large integer",
    event({ properties: { n: 2 ** 53 } }),
    "properties.n: must be a finite number and, when whole, between -(2^53 - 1) and 2^53 - 1.",
  ],
  [
    "many properties",
    event({ properties: Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`p${n}`, n])) }),
    "properties: too long: at most 256 entries.",
  ],
  [
    "an idempotency key with a blank",
    (tracker) => tracker.events.track({ externalId: "a", eventKey: "b" }, { idempotencyKey: "a b" }),
    "idempotencyKey: must be visible ASCII characters.",
  ],
  [
    "a long idempotency key",
    (tracker) => tracker.events.track({ externalId: "a", eventKey: "b" }, { idempotencyKey: "k".repeat(256) }),
    "idempotencyKey: too long: at most 255 characters.",
  ],
  [
    "a large page",
    (tracker) => tracker.contacts.list({ limit: 5_000 }),
    "limit: must be a whole number from 1 to 1000.",
  ],
  [
    "a cursor that is none",
    (tracker) => tracker.contacts.list({ cursor: "x" }),
    "cursor: must be the nextCursor of a page.",
  ],
  [
    "an attribute's key",
    (tracker) => tracker.attributes.define({ key: "9", type: "text" }),
    "key: must be a letter followed by letters, digits and underscores, of ASCII.",
  ],
  [
    "an attribute's type",
    (tracker) => tracker.attributes.define(untyped({ key: "a", type: "constructor" })),
    "type: must be text, number, boolean or date.",
  ],
  [
    "a kind of rule",
    rule({ kind: "did", eventKey: "step" }),
    "rule.kind: must be has_done, has_not_done, count_greater_than, first_done_within, last_done_within, field, attribute or checklist_completed.",
  ],
  ["an empty group", rule({ all: [] }), "rule.all: must have at least one entry."],
  ["a rule for a group", rule({ any: did }), "rule.any: must be a list."],
  [
    "many rules",
    rule({ any: Array.from({ length: 51 }, () => did) }),
    "rule: too long: at most 50 rules that are no groups.",
  ],
  [
    "a period without ends",
    rule({ ...did, kind: "last_done_within", period: {} }),
    "rule.period: must have days, hours or minutes, or from or to.",
  ],
  [
    "a period that ends before it begins",
    rule({ ...did, kind: "last_done_within", period: { from: new Date(1), to: new Date(0) } }),
    "rule.period.to: must not be before from.",
  ],
  ["no items", checklist([]), "items: must have at least one entry."],
  [
    "many items",
    checklist(Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, name: "N" }))),
    "items: too long: at most 100 entries.",
  ],
  [
    "a repeated key",
    checklist([
      { key: "a", name: "A" },
      { key: "a", name: "B" },
    ]),
    "items.1.key: an entry before it has this key.",
  ],
  [
    "a rule that may turn false again",
    checklist([{ key: "a", name: "A", when: { ...did, kind: "has_not_done" } }]),
    "items.0.when.kind: must be has_done or count_greater_than.",
  ],
  [
    "an automatic item",
    async (tracker) => {
      await tracker.checklists.define({
        key: "start",
        name: "Start",
        items: [{ key: "a", name: "A", when: untyped(did) }],
      });
      await tracker.checklists.complete("ada@example.com", "start", "a");
    },
    "itemKey: events complete this item; it cannot be completed by hand.",
  ],
];

const urls = [
  "https://example.com/ada.png?size=2#x",
  "http://localhost:3000",
  "HTTPS://EXAMPLE.com/ü",
  "http://[::1]/",
];
const noUrls = [
  "",
  "/ada.png",
  "//example.com/ada.png",
  "example.com/ada.png",
  "ftp://example.com/ada.png",
  "javascript:alert(1)",
  "data:image/png;base64,AAAA",
  "https:",
  "https://",
  "https:example.com",
  "https://exa mple.com",
  " https://example.com",
  "https://example.com\n",
  "https://example.com:99999",
  "https://:80",
  "http://[::1",
  "http://a.b/\ud800",
];

suite("fields", (test) => {
  for (const [what, texts, expected] of [
    ["taken", urls, []],
    ["refused", noUrls, ["invalid_format"]],
  ] as const) {
    for (const text of texts) {
      test(`the URL ${JSON.stringify(text)} is ${what}`, () => {
        const codes = check(text, url(2_048)).issues.map(({ code }) => code);
        assert.deepEqual(codes, expected);
      });
    }
  }

  for (const [what, call, message] of cases) {
    test(`the message says what is expected instead of ${what}`, async () => {
      const { tracker } = stoppedTracker();
      await tracker.contacts.upsert({ email: "ada@example.com" });
      assert.equal((await refusalOf(call(tracker))).message, message);
    });
  }

  test("one attribute too many is refused with the number there may be", async () => {
    const { tracker } = stoppedTracker();
    const keys = Array.from({ length: 101 }, (_, n) => `k${n}`);
    for (const key of keys) await tracker.attributes.define({ key, type: "number" });
    const customAttributes = Object.fromEntries(keys.map((key) => [key, 1]));
    const { message } = await refusalOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes }));
    assert.equal(message, "customAttributes: too long: at most 100 attributes a contact.");
  });

  test("the name of a workspace is refused with what it may be", () => {
    const { tracker } = stoppedTracker();
    assert.throws(() => tracker.workspace("Acme"), { message: "name: must be 1 to 64 of a-z, 0-9, _ and -." });
  });
});
