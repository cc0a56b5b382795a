import assert from "node:assert/strict";
import { accepted, createContact, eventsOf, recordEvent, update } from "./calls.ts";
import { apiKeyRow, at, definitionDraft, workspace, ownerOf } from "./drafts.ts";
import type { StorageTest } from "./fresh-storage.ts";

const times = {
  "2026-01-31T09:00:00.001Z": 1_769_850_000_001,
  "2026-01-31T09:00:00.999Z": 1_769_850_000_999,
  "2038-01-19T03:14:08.000Z": 2_147_483_648_000,
  "1970-01-01T00:00:00.000Z": 0,
  "1969-12-31T23:59:59.999Z": -1,
  "0001-01-01T00:00:00.000Z": -62_135_596_800_000,
  "9999-12-31T23:59:59.999Z": 253_402_300_799_999,
};

export function keptTimes(test: StorageTest): void {
  for (const [name, time] of Object.entries(times)) {
    test(`${name} is kept to the millisecond`, async ({ storage }) => {
      const ada = await createContact(storage, { at: time, fields: { signedUpAt: time } });
      assert.deepEqual([ada.createdAt, ada.updatedAt, ada.signedUpAt], [time, time, time]);
      assert.deepEqual(await storage.findContact(workspace, "ada@example.com"), ada);
      await createContact(storage, { email: "bob@example.com", at });
      const bob = accepted(
        await update(storage, { externalId: "bob@example.com", fields: { signedUpAt: time }, at: time }),
      );
      assert.deepEqual([bob.createdAt, bob.updatedAt, bob.signedUpAt], [at, time, time]);
      assert.deepEqual(await storage.findContact(workspace, "bob@example.com"), bob);

      const event = await recordEvent(storage, { createdAt: time });
      assert.equal(event.createdAt, time);
      assert.deepEqual(await eventsOf(storage, "ada@example.com"), [event]);
      assert.deepEqual(await storage.findSummaries(workspace, ada.id), [
        { eventKey: "step", count: 1, firstAt: time, lastAt: time },
      ]);

      const definition = accepted(await storage.putDefinition(definitionDraft({ createdAt: time })));
      assert.equal(definition.createdAt, time);
      assert.deepEqual(await storage.listDefinitions(workspace, "attribute"), [definition]);
      const row = apiKeyRow({ createdAt: time });
      await storage.insertApiKey(row);
      assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
      assert.deepEqual(await storage.listApiKeys(workspace), [row]);
    });
  }
}
