import assert from "node:assert/strict";
import fc from "fast-check";
import { suite, testsOn } from "../../support/suite.ts";
import { visitors } from "../../../server/visitors/index.ts";
import { json, openMemory, own, userOf, visitsTo } from "./door.ts";

const events = ["step", "tour"];

const anyText = fc.oneof(
  fc.constantFrom("step", "start", "secret", "call", "ada", "bob", "bob@example.org", "__proto__", "constructor", "k"),
  fc.string({ maxLength: 12 }),
);
const anySegment = anyText.map((text) => encodeURIComponent(text.toWellFormed()));
const anyPath = fc.oneof(
  fc.constant("/me/events"),
  fc.constantFrom(
    "/me/events",
    "/me/checklists",
    "/events",
    "/checklists",
    "/me",
    "/",
    "/me/contacts/bob",
    "//me/events",
  ),
  fc
    .tuple(anySegment, fc.constantFrom("dismiss", "restore", "complete"))
    .map(([key, deed]) => `/me/checklists/${key}/${deed}`),
  fc.tuple(anySegment, anySegment).map(([key, item]) => `/me/checklists/${key}/items/${item}/complete`),
  fc.array(anySegment, { maxLength: 6 }).map((segments) => `/me/${segments.join("/")}?x=${segments.length}`),
);
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyText, fc.double(), fc.constant("x".repeat(5_000)));
const validItem = fc.record({ eventKey: fc.constantFrom(...events), idempotencyKey: fc.uuid() });
const hostileItem = fc.record(
  {
    eventKey: fc.oneof(fc.constantFrom("step", "tour", "host_event"), anyValue),
    idempotencyKey: fc.oneof(fc.constantFrom("k", "host"), anyText, anyValue),
    properties: fc.oneof(fc.dictionary(anyText, anyValue, { maxKeys: 4 }), anyValue),
    externalId: anyValue,
    createdAt: anyValue,
    email: anyText,
  },
  { requiredKeys: ["eventKey"] },
);
const anyBody = fc.oneof(
  { arbitrary: fc.record({ items: fc.array(fc.oneof(validItem, hostileItem), { maxLength: 22 }) }), weight: 4 },
  { arbitrary: fc.jsonValue(), weight: 1 },
);
const anyRequest = fc.record({
  path: anyPath,
  method: fc.constantFrom("GET", "HEAD", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
  isOwn: fc.nat(9).map((n) => n > 0),
  body: anyBody,
});

suite("hostile visitors", (define) => {
  const test = testsOn(define, visitsTo(openMemory));
  test("whatever one visitor sends, others keep their data, nothing of them is shown, and nothing fails", async ({
    tracker,
  }) => {
    await tracker.events.track({ externalId: "bob", eventKey: "step" }, { idempotencyKey: "host" });
    const untouched = async (): Promise<unknown> => [
      await tracker.contacts.export("bob"),
      await tracker.contacts.count(),
      await tracker.contacts.get("ada"),
      await tracker.checklists.list(),
    ];
    const before = await untouched();
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ path, method, isOwn, body }) => {
        const hasBody = !["GET", "HEAD"].includes(method);
        const headers = { "x-user": "ada", ...(isOwn && own), ...json };
        const init = { method, headers, body: hasBody ? JSON.stringify(body) : null };
        // Each of its own, because a mount limits the items of a visitor.
        const { handle } = visitors(tracker, { basePath: "/me", identify: userOf, checklists: ["start"], events });
        const answer = await handle(new Request(`http://localhost${path}`, init));
        const text = await answer.text();
        assert.ok([200, 400, 403, 404, 405, 413].includes(answer.status), `${answer.status} ${text}`);
        assert.doesNotMatch(text, /example\.com|Secret|contactId|host_event/);
      }),
      { numRuns: 500 },
    );
    assert.deepEqual(await untouched(), before);
    const recorded = (await tracker.contacts.export("ada")).events;
    assert.ok(recorded.length > 0 && recorded.every(({ eventKey }) => events.includes(eventKey)));
  });
});
