import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createTracker } from "../../../lib/index.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

suite("the order of calls", (test) => {
  test("calls that name a contact alike take effect in call order, also if only the first one must wait for definitions", async () => {
    const { storage, tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    let isFirst = true;
    const slow: typeof storage = {
      ...storage,
      async listDefinitions(...args) {
        if (isFirst) await pause(20);
        isFirst = false;
        return storage.listDefinitions(...args);
      },
    };
    const { contacts } = createTracker({ storage: slow });
    const begun = [
      contacts.upsert({ email: "Ada@example.com", name: "first", externalId: "u_1", customAttributes: { seats: 1 } }),
      contacts.upsert({ email: "ada@example.com", name: "second" }),
      contacts.update("u_1", { plan: "third", customAttributes: { seats: 3 } }),
      contacts.upsert({ email: "ada@example.com", externalId: "u_1", plan: "fourth" }),
    ];
    await Promise.all(begun);
    const { name, plan, customAttributes } = (await tracker.contacts.get("u_1"))!;
    assert.deepEqual([name, plan, customAttributes], ["second", "fourth", { seats: 3 }]);
  });

  test("a refused call does not keep later calls of its contact from being written", async () => {
    const { tracker } = stoppedTracker();
    const customAttributes = { unknown: 1 };
    const refused = refusalOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes }));
    await tracker.contacts.upsert({ email: "ada@example.com" });
    assert.equal((await refused).code, "invalid_input");
  });
});
