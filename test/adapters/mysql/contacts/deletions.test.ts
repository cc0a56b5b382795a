import assert from "node:assert/strict";
import { createTracker } from "../../../../lib/index.ts";
import { deleteAmongWrites, deletionServer, findEverywhere } from "../../../support/deletion.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const started = await database(deletionServer);

databaseSuite("deletions in mysql", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("a contact with 3,000 events among 12,000 goes without a trace, while the others are written to", async (opened) => {
    assert.ok((await deleteAmongWrites(opened, 3_000)) > 0);
  });

  test("the scan finds each value in every column that holds it", async (opened) => {
    const tracker = createTracker({ storage: opened.storage });
    const { contact } = await tracker.contacts.upsert({ email: "one@example.com", externalId: "u_one" });
    await tracker.events.track({ externalId: "u_one", eventKey: "step" });
    const id = Buffer.from(contact.id.replaceAll("-", ""), "hex");
    const found = await findEverywhere(opened, [id, contact.id, "one@example.com", "u_one"]);
    assert.deepEqual(found.sort(), [
      "whodid_contacts.effective_external_id",
      "whodid_contacts.email",
      "whodid_contacts.external_id",
      "whodid_contacts.folded_external_id",
      "whodid_contacts.id",
      "whodid_events.contact_id",
      "whodid_summaries.contact_id",
    ]);
  });

  test("a contact of a watched audience goes without a trace, also during the first pass", async (opened) => {
    const { storage } = opened;
    const tracker = createTracker({ storage });
    await tracker.audiences.define({ key: "all", name: "All", rule: { kind: "has_not_done", eventKey: "step" } });
    await tracker.subscriptions.define({ key: "crm", on: { audiences: ["all"] } });
    for (let n = 0; n < 499; n++) await tracker.contacts.upsert({ email: `before${n}@example.com` });
    const { contact } = await tracker.contacts.upsert({ email: "one@example.com" });
    await tracker.contacts.upsert({ email: "after@example.com" });
    assert.equal(await storage.beginWatches(Date.now()), true);
    const [watch] = await storage.listWatches("default");
    assert.ok(watch!.readyAt === null && watch!.position! >= contact.id);
    const id = Buffer.from(contact.id.replaceAll("-", ""), "hex");
    const found = await findEverywhere(opened, [id]);
    assert.deepEqual(found.sort(), ["whodid_contacts.id", "whodid_memberships.contact_id"]);
    await tracker.contacts.delete("one@example.com");
    assert.deepEqual(await findEverywhere(opened, [id, contact.id, "one@example.com"]), []);
  });

  test("a deletion that was interrupted is finished by the next one, which counts what it removed itself", async (opened) => {
    const tracker = createTracker({ storage: opened.storage });
    const { contact } = await tracker.contacts.upsert({ email: "one@example.com" });
    for (let n = 0; n < 3; n++) await tracker.events.track({ externalId: "one@example.com", eventKey: "step" });
    // What the first step of one leaves behind.
    await opened.pool.query("DELETE FROM whodid_events LIMIT 2");
    assert.deepEqual(await tracker.contacts.delete("one@example.com"), { contactId: contact.id, events: 1 });
    assert.equal(await tracker.contacts.get("one@example.com"), null);
    assert.deepEqual(await opened.storage.findSummaries("default", contact.id), []);
  });
});
