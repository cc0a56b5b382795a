import assert from "node:assert/strict";
import { decideEvent } from "../../../lib/decisions/events.ts";
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
const unknown = Symbol("unknown");
const refusal = { refused: { code: "invalid_input" } } as const;

// The storage contract asserts what becomes of an event whose rows are all known.
suite("event decisions", (test) => {
  test("an unknown row is the answer, unless a row before it decides", () => {
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, unknown, byId, contact, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, byHash, unknown, contact, null), { answer: byHash });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, unknown, null, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, null, unknown, null), { answer: unknown });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, null, byId, unknown, null), { answer: byId });
    assert.deepEqual(decideEvent<EventRow | symbol>(draft, unknown, null, null, refusal), { answer: unknown });
  });
});
