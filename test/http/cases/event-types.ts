import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, eventOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { OpenDoor } from "../door.ts";

const purchase = { key: "Order Completed", properties: { total: "number", coupon: "text?" } } as const;
const newer = { externalId: "u_1", eventKey: "Order Completed" };
const older = { email: "ada@example.com", event: "Order Completed" };

/** Events whose key is defined, and those whose key is not. */
export function eventTypeCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [shape, body] of [
    ["newer", newer],
    ["older", older],
  ] as const) {
    test(`an event of the ${shape} shape is as its type declares, or refused with all issues`, async (client) => {
      await prepare(client);
      const answer = await client.post("/events", { ...body, properties: { coupon: 5, "to.tal": 1 } });
      assertInvalid(answer, [
        "properties.total: required",
        "properties.coupon: wrong_type",
        "properties.to.tal: unknown_field",
      ]);
      assertInvalid(await client.post("/events", body), ["properties.total: required"]);
      assert.deepEqual((await client.tracker.events.list("u_1")).items, []);
      eventOf(await client.post("/events", { ...body, properties: { total: 1 } }));
      eventOf(await client.post("/events", { ...body, properties: { total: 2, coupon: "x" } }));
    });
  }

  test("what is wrong without an event type is told first", async (client) => {
    await prepare(client);
    const answer = await client.post("/events", { ...newer, externalId: " ", properties: { coupon: [] } });
    assertInvalid(answer, ["externalId: too_short", "properties.coupon: wrong_type"]);
  });

  const strict = visitsTo(define, open, { undefinedEvents: "refuse" });
  strict("with undefinedEvents refuse it is refused, in the words of each shape", async (client) => {
    await prepare(client);
    assertInvalid(await client.post("/events", { ...newer, eventKey: "step" }), ["eventKey: event_not_defined"]);
    assertInvalid(await client.post("/events", { ...older, event: "step" }), ["event: event_not_defined"]);
    assert.deepEqual((await client.tracker.events.list("u_1")).items, []);
    await client.tracker.eventTypes.define({ key: "step" });
    eventOf(await client.post("/events", { ...newer, eventKey: "step", properties: { any: 1 } }));
  });
}

async function prepare({ post, tracker }: Client): Promise<void> {
  await post("/contacts", { email: "ada@example.com", externalId: "u_1" });
  await tracker.eventTypes.define(purchase);
}
