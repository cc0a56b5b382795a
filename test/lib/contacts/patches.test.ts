import assert from "node:assert/strict";
import { createTracker } from "../../../lib/index.ts";
import { refusalOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

suite("changes of contacts", (test) => {
  test("a write whose attributes the storage lists and does not find ends after 3 tries", async () => {
    const { storage, tracker } = stoppedTracker();
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const refusal = { refused: { code: "definition_not_found" } } as const;
    let tries = 0;
    const lost: typeof storage = {
      ...storage,
      upsertContacts: async (items) => items.map(() => (tries++, refusal)),
      updateContact: async () => (tries++, refusal),
    };
    const { contacts } = createTracker({ storage: lost });
    const customAttributes = { seats: 1 };
    for (const write of [
      () => contacts.upsert({ email: "ada@example.com", customAttributes }),
      () => contacts.update("ada@example.com", { customAttributes }),
    ]) {
      tries = 0;
      assert.equal((await refusalOf(write())).code, "storage_unavailable");
      assert.equal(tries, 3);
    }
    assert.deepEqual((await tracker.contacts.get("ada@example.com"))?.customAttributes, {});
  });
});
