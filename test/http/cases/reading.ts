import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

/** The body of a 200, without `success`. */
export function answeredBy({ status, body }: DoorAnswer): Record<string, unknown> {
  const { success, ...rest } = body as { success: boolean };
  assert.deepEqual([status, success], [200, true], JSON.stringify(body));
  return rest;
}

const page = (answer: DoorAnswer, field: string): { found: unknown[]; nextCursor: unknown } => {
  const { items, nextCursor } = answeredBy(answer) as { items: Record<string, unknown>[]; nextCursor: string | null };
  return { found: items.map((item) => item[field]), nextCursor };
};

async function addThree({ tracker }: Client): Promise<void> {
  for (const name of ["ada", "bob", "cem"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
}

/** Lists, their queries, and bare rules. */
export function readingCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("a contact's events are listed newest first, or those of one key", async ({ tracker, get, setClock }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "a/b c" });
    await tracker.events.track({ externalId: "a/b c", eventKey: "Order Completed", properties: { total: 9 } });
    setClock("2026-11-20T10:00:01.000Z");
    await tracker.events.track({ externalId: "a/b c", eventKey: "bought" });
    const path = "/contacts/a%2Fb%20c/events";
    assert.deepEqual(page(await get(path), "eventKey").found, ["bought", "Order Completed"]);
    for (const key of ["Order%20Completed", "Order+Completed"]) {
      assert.deepEqual(page(await get(`${path}?eventKey=${key}`), "properties").found, [{ total: 9 }]);
    }
    assertRefused(await get("/contacts/gone/events"), 404, "contact_not_found");
  });

  test("contacts are found by the beginning of a name, newest first, and counted", async (client) => {
    await addThree(client);
    const found = await client.get("/contacts?query=B&order=newest&count=true");
    assert.deepEqual([page(found, "email").found, answeredBy(found)["total"]], [["bob@example.com"], 3]);
    assert.deepEqual(Object.keys(answeredBy(await client.get("/contacts?count=false"))), ["items", "nextCursor"]);
    assertInvalid(await client.get("/contacts?count=1&order=first"), ["count: wrong_type", "order: invalid_format"]);
  });

  test("the events of all contacts are listed newest first, or those of one key", async (client) => {
    await addThree(client);
    for (const eventKey of ["bought", "opened"]) {
      await client.tracker.events.track({ externalId: "bob@example.com", eventKey });
    }
    assert.deepEqual(page(await client.get("/events"), "eventKey").found, ["opened", "bought"]);
    assert.deepEqual(page(await client.get("/events?eventKey=bought"), "externalId").found, ["bob@example.com"]);
    assertInvalid(await client.get("/events?order=oldest"), ["order: unknown_field"]);
  });

  test("a query is validated as a body is, all at once", async ({ get }) => {
    assertInvalid(await get("/contacts?limit=0&cursor=x&page=2"), [
      "cursor: invalid_format",
      "limit: out_of_range",
      "page: unknown_field",
    ]);
    for (const limit of ["", "ten", "1e2", "0x10", "+1"]) {
      assertInvalid(await get(`/contacts?limit=${limit}`), ["limit: wrong_type"]);
    }
    assertInvalid(await get("/contacts?limit=1.5"), ["limit: out_of_range"]);
    assertInvalid(await get("/contacts?__proto__=1"), ["__proto__: unknown_field"]);
  });

  for (const eventKey of ["%ff", "%E9", "100%", "%zz"]) {
    test(`the query eventKey=${eventKey} is refused, and not read as other characters`, async ({ tracker, get }) => {
      await tracker.contacts.upsert({ email: "ada@example.com" });
      assertInvalid(await get(`/contacts/ada@example.com/events?eventKey=${eventKey}`), [": invalid_format"]);
    });
  }

  test("of a query parameter that stands twice the last one counts", async (client) => {
    await addThree(client);
    assert.equal(page(await client.get("/contacts?limit=2&limit=1"), "email").found.length, 1);
  });

  for (const path of [
    "/contacts/u_1/audiences",
    "/contacts/u_1/checklists",
    "/audiences",
    "/audiences/paying/count",
    "/event-types",
  ]) {
    test(`${path} takes no query parameter`, async ({ get }) =>
      assertInvalid(await get(`${path}?limit=1`), ["limit: unknown_field"]));
  }

  test("a rule that is no audience yet is counted, and its contacts are shown in pages", async (client) => {
    await addThree(client);
    const rule = { kind: "has_not_done", eventKey: "bought" };
    const first = answeredBy(await client.post("/audiences/preview", { rule, limit: 2 }));
    assert.deepEqual([first["count"], (first["items"] as object[]).length], [3, 2]);
    const { nextCursor: cursor } = first;
    const second = answeredBy(await client.post("/audiences/preview", { rule, limit: 2, cursor }));
    assert.deepEqual([second["count"], (second["items"] as object[]).length, second["nextCursor"]], [3, 1, null]);
    const explained = await client.post("/audiences/explain", { rule, externalId: "ada@example.com" });
    assert.deepEqual(answeredBy(explained), {
      explanation: { match: true, because: [{ rule, match: true, observed: null }] },
    });
    assertInvalid(await client.post("/audiences/explain", { rule }), ["externalId: required"]);
    const uncounted = answeredBy(await client.post("/audiences/preview", { rule, limit: 2, count: false }));
    assert.deepEqual(Object.keys(uncounted).sort(), ["items", "nextCursor"]);
    assertInvalid(await client.post("/audiences/preview", { rule: { kind: "gone" }, page: 1 }), [
      "page: unknown_field",
      "rule.kind: invalid_format",
    ]);
  });

  test("answers about a rule that looks further back than events are kept say since when", async (client) => {
    await addThree(client);
    const isBig = { property: "total", operator: "greater_than", value: 100 } as const;
    const rule = { kind: "has_done", eventKey: "bought", period: { days: 30 }, where: [isBig] } as const;
    await client.tracker.audiences.define({ key: "buyers", name: "Buyers", rule });
    const eventsKeptSince = "2026-11-10T00:00:00.000Z";
    await client.tracker.events.prune({ before: eventsKeptSince, force: true });
    assert.deepEqual(answeredBy(await client.get("/audiences/buyers/count")), { count: 0, eventsKeptSince });
    const members = { items: [], nextCursor: null, eventsKeptSince };
    assert.deepEqual(answeredBy(await client.get("/audiences/buyers/members")), members);
    assert.deepEqual(answeredBy(await client.post("/audiences/preview", { rule })), { count: 0, ...members });
    assert.deepEqual(answeredBy(await client.get("/audiences/buyers/explain/ada@example.com")), {
      explanation: { match: false, because: [{ rule, match: false, observed: null }], eventsKeptSince },
    });
  });
}
