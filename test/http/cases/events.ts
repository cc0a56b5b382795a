import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { contactOf, uuidV7 } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** POST /events. */
export function eventCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  test("an event is answered 201 with its record and the checklist items it completed", async ({ post, setClock }) => {
    const contact = contactOf(await post("/contacts", { email: "ada@example.com", externalId: "u_1" }));
    setClock("2026-11-20T10:00:00.123Z");
    const { status, body, headers } = await post("/events", {
      externalId: "u_1",
      eventKey: "signup_completed",
      properties: { plan: "pro" },
    });
    const { id } = (body as { event: { id: string } }).event;
    assert.match(id, uuidV7);
    assert.equal(status, 201);
    assert.deepEqual(body, {
      success: true,
      event: { id, eventKey: "signup_completed", contactId: contact.id, createdAt: "2026-11-20T10:00:00.123Z" },
      completedChecklistItems: [],
    });
    assert.equal(headers.get("Idempotent-Replayed"), null);
  });

  test("the older shape answers as the newer one does", async ({ post, tracker }) => {
    const contact = contactOf(await post("/contacts", { email: "ada@example.com" }));
    const properties = { plan: "pro" };
    const { status, body } = await post("/events", { email: "ada@example.com", event: "bought", properties });
    const [stored] = (await tracker.events.list("ada@example.com")).items;
    const createdAt = "2026-11-20T10:00:00.000Z";
    const event = { id: stored?.id, eventKey: "bought", contactId: contact.id, createdAt };
    assert.equal(status, 201);
    assert.deepEqual(body, { success: true, event, completedChecklistItems: [] });
    assert.deepEqual(stored, { ...event, properties });
  });
}
