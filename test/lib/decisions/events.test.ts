import assert from "node:assert/strict";
import { addToSummary, decideEvent, isKeyReused } from "../../../lib/decisions/events.ts";
import type { EventDraft, EventRow } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";

const draft: EventDraft = {
  workspace: "acme",
  id: "id-2",
  contact: { externalId: "u_1" },
  eventKey: "step",
  properties: "{}",
  createdAt: 2_000,
  recordedAt: 3_000,
  idempotencyHash: "hash",
  fingerprint: "fingerprint",
  mustBeDefined: false,
};
const contact = { id: "id-ada" };
const event: EventRow = {
  id: "id-2",
  contactId: "id-ada",
  eventKey: "step",
  properties: "{}",
  createdAt: 2_000,
  idempotencyHash: "hash",
  fingerprint: "fingerprint",
  completedItems: null,
};
const byHash = { ...event, id: "id-1" };
const byId = { ...event, idempotencyHash: null };
const refusal = { refused: { code: "invalid_input" } } as const;
const unknown = Symbol("unknown");

suite("event decisions", (test) => {
  test("a new event is added to its contact", () => {
    assert.deepEqual(decideEvent(draft, null, null, contact, null), { added: event });
  });

  test("an event without a contact is not recorded", () => {
    assert.deepEqual(decideEvent(draft, null, null, null, null), { answer: null });
  });

  test("an event recorded before is the answer, also where the contact is not found any more", () => {
    for (const found of [contact, null]) {
      assert.deepEqual(decideEvent(draft, byHash, null, found, null), { answer: byHash });
      assert.deepEqual(decideEvent(draft, null, byId, found, null), { answer: byId });
    }
  });

  test("the event of the idempotency hash goes before that of the id", () => {
    assert.deepEqual(decideEvent(draft, byHash, byId, contact, null), { answer: byHash });
  });

  test("an unknown row is the answer, unless a row before it decides", () => {
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, unknown, byId, contact, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, byHash, unknown, contact, null), { answer: byHash });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, unknown, null, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, null, unknown, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, byId, unknown, null), { answer: byId });
  });

  test("a refused event is answered with its refusal, whether its contact is looked for or not", () => {
    for (const found of [contact, null, unknown]) {
      assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, null, found, refusal), { answer: refusal });
    }
  });

  test("the same input recorded before goes before a refusal, and another input does not", () => {
    assert.deepEqual(decideEvent(draft, byHash, null, null, refusal), { answer: byHash });
    assert.deepEqual(decideEvent(draft, null, event, null, refusal), { answer: event });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, unknown, null, null, refusal), { answer: unknown });
    const other = { ...byHash, fingerprint: "another" };
    assert.deepEqual(decideEvent(draft, other, null, contact, refusal), { answer: refusal });
  });

  test("an idempotency key is reused when it comes with another input", () => {
    assert.equal(isKeyReused({ fingerprint: "a" }, "b"), true);
    assert.equal(isKeyReused({ fingerprint: "a" }, "a"), false);
    assert.equal(isKeyReused({ fingerprint: null }, null), false);
  });

  test("a summary counts an event, and widens to its time", () => {
    const summary = { eventKey: "step", count: 1, firstAt: 2_000, lastAt: 2_000 };
    addToSummary(summary, 3_000);
    addToSummary(summary, 1_000);
    assert.deepEqual(summary, { eventKey: "step", count: 3, firstAt: 1_000, lastAt: 3_000 });
  });
});
