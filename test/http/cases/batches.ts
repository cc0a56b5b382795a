import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { inTurns } from "../../support/in-turns.ts";
import { visitsTo } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

interface Item {
  status: number;
  body: { success: boolean; error?: { code: string; message: string; issues?: { path: string; code: string }[] } };
  replayed?: true;
}

/** The items of a batch's answer, which is 200 whatever becomes of them. */
function itemsOf({ status, body }: DoorAnswer): Item[] {
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  const { success, items } = body as { success: boolean; items: Item[] };
  assert.equal(success, true);
  return items;
}

const bought = { externalId: "ada@example.com", eventKey: "bought" };

/** POST /contacts/batch and POST /events/batch. */
export function batchCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("each contact of a batch is answered as its request alone would be", async ({ post, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    await tracker.attributes.define({ key: "seats", type: "number" });
    const contacts = [
      { email: "ada@example.com", name: "Ada" },
      { email: "bob@example.com", customAttributes: { seats: 3 } },
      { email: "carol@example.com", externalId: "u_1" },
      { email: "no email", nickname: "x", customAttributes: { sets: 1 } },
      [],
    ];
    const items = itemsOf(await post("/contacts/batch", { items: contacts }));
    assert.deepEqual(
      items.map(({ status, body }) => [status, body.error?.code]),
      [
        [200, undefined],
        [201, undefined],
        [409, "external_id_taken"],
        [400, "invalid_input"],
        [400, "invalid_input"],
      ],
    );
    // The first two have been written, so that both are there now.
    for (const [index, contact] of contacts.entries()) {
      const alone = await post("/contacts", contact);
      if (index !== 1) assert.deepEqual(items[index], { status: alone.status, body: alone.body });
      else assert.deepEqual(items[index]?.body, alone.body);
    }
  });

  test("each event of a batch is answered as its request alone, in either shape", async ({ post, tracker }) => {
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
    const items = itemsOf(
      await post("/events/batch", {
        items: [
          { ...bought, properties: { total: 1 }, createdAt: "2023-01-31T09:00:00Z" },
          { email: "ADA@example.com", event: "bought" },
          { ...bought, externalId: "nobody" },
          { email: "ada@example.com", event: "" },
          { ...bought, email: "ada@example.com" },
        ],
      }),
    );
    const [first, second] = (await tracker.events.list("ada@example.com")).items.toReversed();
    assert.deepEqual(first?.properties, { total: 1 });
    const answered = [first!, second!].map(({ id, eventKey, contactId, createdAt }) => ({
      status: 201,
      body: { success: true, event: { id, eventKey, contactId, createdAt }, completedChecklistItems: [] },
    }));
    assert.deepEqual(items.slice(0, 2), answered);
    assert.deepEqual([first?.contactId, first?.createdAt], [contact.id, "2023-01-31T09:00:00.000Z"]);
    assert.deepEqual(
      items
        .slice(2)
        .map(({ status, body }) => [status, body.error?.issues?.map(({ path, code }) => `${path} ${code}`)]),
      [
        [404, undefined],
        [400, ["event too_short"]],
        [400, ["email unknown_field"]],
      ],
    );
  });

  test("an event of a batch may have an idempotency key, which is that of a header", async ({ post, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const alone = await post("/events", bought, { "idempotency-key": "k" });
    const older = { email: "ada@example.com", event: "bought", idempotencyKey: "o" };
    const items = itemsOf(
      await post("/events/batch", {
        items: [{ ...bought, idempotencyKey: "k" }, { ...bought, eventKey: "sold", idempotencyKey: "k" }, older, older],
      }),
    );
    assert.deepEqual(items[0], { status: 201, body: alone.body, replayed: true });
    assert.deepEqual([items[1]?.status, items[1]?.body.error?.code], [422, "idempotency_key_reused"]);
    assert.deepEqual(items[3], { ...items[2], replayed: true });
    const [wrong] = itemsOf(await post("/events/batch", { items: [{ ...bought, idempotencyKey: "a b" }] }));
    assert.equal(wrong?.body.error?.issues?.[0]?.path, "idempotencyKey");
  });

  test("batch is an externalId like any other", async ({ post, get, delete: remove }) => {
    await post("/contacts", { email: "ada@example.com", externalId: "batch" });
    assert.equal((await get("/contacts/batch")).status, 200);
    assert.equal((await remove("/contacts/batch")).status, 200);
  });
}

/** The limits of a batch, and what is refused of one as a whole. */
export function batchLimitCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("a batch of events takes no Idempotency-Key header", async ({ post, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const answer = await post("/events/batch", { items: [bought] }, { "idempotency-key": "k" });
    assertRefused(answer, 400, "invalid_header");
    assert.deepEqual((await tracker.events.list("ada@example.com")).items, []);
  });

  test("a batch has a list of at most 500 items, which may be empty", async ({ post }) => {
    for (const path of ["/contacts/batch", "/events/batch"]) {
      assert.deepEqual(itemsOf(await post(path, { items: [] })), []);
      assertInvalid(await post(path, {}), ["items: required"]);
      assertInvalid(await post(path, { items: {} }), ["items: wrong_type"]);
      assertInvalid(await post(path, { items: [], more: 1 }), ["more: unknown_field"]);
      assertInvalid(await post(path, { items: Array.from({ length: 501 }, () => 1) }), ["items: too_long"]);
      assert.equal(itemsOf(await post(path, { items: Array.from({ length: 500 }, () => 1) })).length, 500);
    }
  });

  test("a batch tells at most 100 issues in all, and the code of every item", async ({ post }) => {
    const item = { a: 1, b: 1, c: 1, email: 1 };
    const items = itemsOf(await post("/contacts/batch", { items: Array.from({ length: 30 }, () => item) }));
    const counts = items.map(({ body }) => body.error?.issues?.length);
    assert.deepEqual(counts, [...Array.from({ length: 25 }, () => 4), ...Array.from({ length: 5 }, () => undefined)]);
    assert.ok(items.every(({ body }) => body.error?.message.includes("email: must be an email")));
  });

  test("the process does other work after every 64 items of a batch", async ({ post }) => {
    for (const path of ["/contacts/batch", "/events/batch"]) {
      const { value, turns } = await inTurns(post(path, { items: Array.from({ length: 500 }, () => bought) }));
      assert.equal(itemsOf(value).length, 500);
      assert.ok(turns >= 7, `${turns}`);
    }
  });

  test("a batch begins no more items past 4 MiB of answers: the others are 503", async ({ post, tracker }) => {
    const keys = Array.from({ length: 20 }, (_, n) => `text${n}`);
    for (const key of keys) await tracker.attributes.define({ key, type: "text" });
    const customAttributes = Object.fromEntries(keys.map((key) => [key, "x".repeat(4_096)]));
    const emails = Array.from({ length: 130 }, (_, n) => `${n}@example.com`);
    await tracker.contacts.upsertMany(emails.map((email) => ({ email, customAttributes })));
    const batch = { items: emails.map((email) => ({ email, name: "new" })) };
    const { value, turns } = await inTurns(post("/contacts/batch", batch));
    // The answers have 5 MiB, which are measured and then sent, each time in 16 parts.
    assert.ok(turns >= 32, `${turns}`);
    const items = itemsOf(value);
    const begun = items.filter(({ status }) => status === 200);
    assert.deepEqual(items.slice(0, 64), begun);
    const codes = new Set(items.slice(64).map(({ status, body }) => `${status} ${body.error?.code}`));
    assert.deepEqual([...codes], ["503 storage_unavailable"]);
    let written = 0;
    for await (const { name } of tracker.contacts.each()) if (name === "new") written++;
    assert.equal(written, 64);
  });

  test("an event whose contact completes much counts with its whole answer", async ({ post, tracker }) => {
    const items = Array.from({ length: 70 }, (_, n) => {
      return { key: `item${n}`, name: "x".repeat(1_000), when: { kind: "has_done", eventKey: "bought" } as const };
    });
    await tracker.checklists.define({ key: "start", name: "Start", items });
    const emails = Array.from({ length: 65 }, (_, n) => `${n}@example.com`);
    await tracker.contacts.upsertMany(emails.map((email) => ({ email })));
    const events = emails.map((externalId) => ({ externalId, eventKey: "bought" }));
    const [first, ...others] = itemsOf(await post("/events/batch", { items: events })).toReversed();
    assert.deepEqual([first?.status, others.every(({ status }) => status === 201)], [503, true]);
    const [again] = itemsOf(await post("/events/batch", { items: events.slice(64) }));
    const { completedChecklistItems } = again!.body as Item["body"] & { completedChecklistItems?: object[] };
    assert.equal(completedChecklistItems?.length, 70);
  });

  const small = visitsTo(define, open, { maxBodyBytes: 1_000 });
  small("a batch takes 16 times the bytes of another body, and no more", async ({ post, door, key }) => {
    const body = (bytes: number): string => JSON.stringify({ items: [] }).padEnd(bytes);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = (path: string, bytes: number): Promise<DoorAnswer> =>
      door.send({ method: "POST", path: `/api/v1${path}`, headers, body: body(bytes) });
    assert.deepEqual(itemsOf(await send("/events/batch", 16_000)), []);
    assertRefused(await send("/events/batch", 16_001), 413, "body_too_large");
    assertRefused(await send("/contacts/batch", 16_001), 413, "body_too_large");
    assertRefused(await send("/events", 1_001), 413, "body_too_large");
    assertInvalid(await post("/events", { items: [] }), [
      "eventKey: required",
      "externalId: required",
      "items: unknown_field",
    ]);
  });

  const limited = visitsTo(define, open, { rateLimit: { requests: 2, perSeconds: 60 } });
  limited("a batch is one request of the limit", async ({ post }) => {
    for (let n = 0; n < 2; n++) itemsOf(await post("/events/batch", { items: [bought, bought, bought] }));
    assertRefused(await post("/events/batch", { items: [] }), 429, "rate_limited");
  });
}
