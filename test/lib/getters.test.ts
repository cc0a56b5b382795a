/** What was validated is what is stored: each field of an input counts as it was when it was first read. */
import assert from "node:assert/strict";
import type { Tracker } from "../../lib/index.ts";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

async function trackerOfAda(): Promise<Tracker> {
  const { tracker } = stoppedTracker();
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
  return tracker;
}

suite("getters", (test) => {
  test("an input's fields may be getters, also inherited ones", async () => {
    class Signup {
      get email(): string {
        return "eve@example.com";
      }
      get name(): string {
        return "Eve";
      }
    }
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert(new Signup());
    assert.equal(contact.email, "eve@example.com");
    assert.equal(contact.name, "Eve");
  });

  test("a page's fields may be getters, also inherited ones", async () => {
    class Two {
      get limit(): number {
        return 2;
      }
    }
    const tracker = await trackerOfAda();
    for (let n = 0; n < 3; n++) {
      await tracker.contacts.upsert({ email: `c${n}@example.com` });
      await tracker.events.track({ externalId: "u_1", eventKey: "step" });
    }
    assert.equal((await tracker.contacts.list(new Two())).items.length, 2);
    assert.equal((await tracker.events.list("u_1", new Two())).items.length, 2);
  });

  // Each answers well when it is first read, and otherwise from then on.
  const fickle = (key: string, first: unknown, later: unknown): object => {
    let reads = 0;
    return Object.defineProperty({}, key, { enumerable: true, get: () => (reads++ === 0 ? first : later) });
  };

  test("a contact's field is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const changes = fickle("name", "Augusta", "x".repeat(1_001));
    assert.equal((await tracker.contacts.update("u_1", changes)).name, "Augusta");
  });

  test("an attribute is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const customAttributes = untyped(fickle("seats", 13, NaN));
    const contact = await tracker.contacts.update("u_1", { customAttributes });
    assert.deepEqual(contact.customAttributes, { seats: 13 });
  });

  test("an event's key is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const input = Object.assign(fickle("eventKey", "upgraded", " "), { externalId: "u_1" });
    assert.equal((await tracker.events.track(untyped(input))).event.eventKey, "upgraded");
  });

  test("a property is stored as it was validated, also from a getter that changes its mind", async () => {
    const tracker = await trackerOfAda();
    const properties = untyped(fickle("plan", "pro", { nested: true }));
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", properties });
    assert.deepEqual((await tracker.events.list("u_1")).items[0]?.properties, { plan: "pro" });
  });

  test("properties are stored as they stand, not as a hidden toJSON tells them", async () => {
    const tracker = await trackerOfAda();
    const properties = Object.defineProperty({ plan: "pro" }, "toJSON", { value: () => ["not flat"] });
    await tracker.events.track({ externalId: "u_1", eventKey: "upgraded", properties });
    assert.deepEqual((await tracker.events.list("u_1")).items[0]?.properties, { plan: "pro" });
  });

  test("a getter that has nothing at first is left out, whatever it has later", async () => {
    const tracker = await trackerOfAda();
    let reads = 0;
    const changes = {
      get name(): string | undefined {
        return reads++ === 0 ? undefined : "Eve";
      },
    };
    assert.equal((await tracker.contacts.update("u_1", changes)).name, null);
  });

  test("a Date is the time it is, whatever its getTime says", async () => {
    const tracker = await trackerOfAda();
    const signedUpAt = Object.assign(new Date("2026-01-31T09:00:00.000Z"), { getTime: () => 0.5 });
    assert.equal((await tracker.contacts.update("u_1", { signedUpAt })).signedUpAt, "2026-01-31T09:00:00.000Z");
  });

  test("an unknown field without a name does not hide the attributes' issues", async () => {
    const tracker = await trackerOfAda();
    const input = untyped({ "": 1, customAttributes: { floor: 3 } });
    assert.deepEqual(await issuesOf(tracker.contacts.update("u_1", input)), [
      " unknown_field",
      "customAttributes.floor attribute_not_defined",
    ]);
  });
});
