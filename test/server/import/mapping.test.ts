import assert from "node:assert/strict";
import { createMapper, type Kind } from "../../../server/import/index.ts";
import { suite } from "../../support/suite.ts";

function mapped(kind: Kind, row: object, { format, maps = [] }: { format?: string; maps?: string[] } = {}): unknown {
  const result = createMapper(kind, format, maps).map(row as Record<string, unknown>);
  // The objects inside have no prototype.
  return JSON.parse(JSON.stringify(result));
}

suite("the mapping of an import", (test) => {
  test("fields of our names need no mapping; what is not known or no flat value is left out and told", () => {
    const row = {
      externalId: "u_1",
      eventKey: "step",
      createdAt: "2026-01-31T09:00:00Z",
      contactId: "0199",
      color: "red",
      properties: { total: 1, items: [1], place: {}, none: null, __proto: "x" },
    };
    assert.deepEqual(mapped("events", row), {
      item: {
        externalId: "u_1",
        eventKey: "step",
        createdAt: "2026-01-31T09:00:00Z",
        properties: { total: 1, __proto: "x" },
      },
      leftOut: ["color", "properties.items", "properties.place", "properties.none"],
    });
    assert.deepEqual(mapped("contacts", { email: "a@b.c", name: ["A"], externalId: null }), {
      item: { email: "a@b.c", externalId: null },
      leftOut: ["name"],
    });
  });

  test("a map takes a field from a column, by its name or along a path", () => {
    const maps = ["externalId=user.id,eventKey=What", "properties.total=Amount", "createdAt=a.b"];
    const row = { user: { id: "u_1" }, What: "step", Amount: 12, "a.b": "2026-01-31T09:00:00Z" };
    assert.deepEqual(mapped("events", row, { maps }), {
      item: { externalId: "u_1", eventKey: "step", createdAt: "2026-01-31T09:00:00Z", properties: { total: 12 } },
      leftOut: [],
    });
    const withEquals = mapped("contacts", { "a=b": "a@b.c" }, { maps: ["email=a=b"] });
    assert.deepEqual(withEquals, { item: { email: "a@b.c" }, leftOut: [] });
  });

  test("what a field is taken from is not also taken with the object around it", () => {
    const row = { externalId: "u_1", eventKey: "step", properties: { at: "2026-01-31T09:00:00Z", total: 1 } };
    assert.deepEqual(mapped("events", row, { maps: ["createdAt=properties.at"] }), {
      item: { externalId: "u_1", eventKey: "step", createdAt: "2026-01-31T09:00:00Z", properties: { total: 1 } },
      leftOut: [],
    });
  });

  test("an object may be the text of its JSON, a text stays one", () => {
    assert.deepEqual(mapped("events", { eventKey: '{"a":1}', properties: '{"total":1}' }), {
      item: { eventKey: '{"a":1}', properties: { total: 1 } },
      leftOut: [],
    });
    assert.deepEqual(mapped("events", { properties: "{total" }), { item: { properties: "{total" }, leftOut: [] });
  });

  test("a number is a Unix time, in seconds or milliseconds", () => {
    const at = (createdAt: unknown): unknown =>
      (mapped("events", { createdAt }) as { item: { createdAt: unknown } }).item.createdAt;
    assert.equal(at(1_769_850_000), "2026-01-31T09:00:00.000Z");
    assert.equal(at(1_769_850_000_123), "2026-01-31T09:00:00.123Z");
    assert.equal(at("1769850000.5"), "2026-01-31T09:00:00.500Z");
    assert.deepEqual(["2026", "20260131", 1e300, true].map(at), ["2026", "20260131", 1e300, true]);
  });

  test("segment: calls of another type are no rows of this kind", () => {
    const call = { type: "track", messageId: "m_1", userId: "u_1", event: "Order", timestamp: "2026-01-31T09:00:00Z" };
    const event = { ...call, properties: { total: 1 }, context: { ip: "x" } };
    assert.deepEqual(mapped("events", event, { format: "segment" }), {
      item: {
        id: "m_1",
        externalId: "u_1",
        eventKey: "Order",
        createdAt: "2026-01-31T09:00:00Z",
        properties: { total: 1 },
      },
      leftOut: [],
    });
    assert.equal(mapped("contacts", event, { format: "segment" }), null);
    const identify = { type: "identify", userId: "u_1", traits: { email: "a@b.c", name: "A", seats: 1, tags: [] } };
    assert.deepEqual(mapped("contacts", identify, { format: "segment" }), {
      item: { externalId: "u_1", email: "a@b.c", name: "A", customAttributes: { seats: 1 } },
      leftOut: ["customAttributes.tags"],
    });
  });

  test("posthog and mixpanel: events and people as they export them", () => {
    const posthog = { uuid: "e_1", distinct_id: "u_1", event: "step", timestamp: "2026-01-31T09:00:00Z" };
    assert.deepEqual(mapped("events", { ...posthog, properties: '{"a":1}', team_id: 2 }, { format: "posthog" }), {
      item: { id: "e_1", externalId: "u_1", eventKey: "step", createdAt: "2026-01-31T09:00:00Z", properties: { a: 1 } },
      leftOut: [],
    });
    const person = {
      distinct_id: "u_1",
      properties: '{"email":"a@b.c","seats":1}',
      created_at: "2026-01-31T09:00:00Z",
    };
    assert.deepEqual(mapped("contacts", person, { format: "posthog" }), {
      item: {
        externalId: "u_1",
        email: "a@b.c",
        signedUpAt: "2026-01-31T09:00:00Z",
        customAttributes: { seats: 1 },
      },
      leftOut: [],
    });
    const mixpanel = {
      event: "step",
      properties: { time: 1_769_850_000, $insert_id: "i_1", distinct_id: "u_1", a: 1 },
    };
    assert.deepEqual(mapped("events", mixpanel, { format: "mixpanel" }), {
      item: {
        id: "i_1",
        externalId: "u_1",
        eventKey: "step",
        createdAt: "2026-01-31T09:00:00.000Z",
        properties: { a: 1 },
      },
      leftOut: [],
    });
    const profile = { $distinct_id: "u_1", $properties: { $email: "a@b.c", $name: "A", seats: 1 } };
    assert.deepEqual(mapped("contacts", profile, { format: "mixpanel" }), {
      item: { externalId: "u_1", email: "a@b.c", name: "A", customAttributes: { seats: 1 } },
      leftOut: [],
    });
  });

  test("a map goes before a format, and neither takes what there is not", () => {
    const maps = ["externalId=anonymousId"];
    const result = mapped("events", { type: "track", anonymousId: "a_1" }, { format: "segment", maps });
    assert.deepEqual(result, { item: { externalId: "a_1" }, leftOut: [] });
    assert.throws(() => createMapper("events", "toString", []), /^Error: --format takes segment, posthog, mixpanel\.$/);
    for (const map of ["email", "email=", ""]) {
      assert.throws(() => createMapper("contacts", undefined, [map]), /^Error: --map takes FIELD=COLUMN/);
    }
    for (const map of ["total=a", "email=a", "externalId.x=a", "properties.a.b=c", "toString=a"]) {
      assert.throws(
        () => createMapper("events", undefined, [map]),
        /^Error: --map: events have the fields id, externalId/,
      );
    }
  });
});
