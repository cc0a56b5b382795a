import assert from "node:assert/strict";
import type { AttributeRow } from "../../../lib/storage/rows.ts";
import {
  accepted,
  allContacts,
  createContact,
  eventsOf,
  newAttributes,
  recordAll,
  recordEvent,
  update,
  upsert,
} from "../calls.ts";
import {
  apiKeyRow,
  at,
  attributesOf,
  contactDraft,
  contactUpdate,
  definitionDraft,
  eventDraft,
  ownerOf,
  wholeList,
  workspace,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { hostileEmails, hostileEventKeys, hostileExternalIds, hostileLabels, hostileTexts } from "./hostile-texts.ts";

export function texts(test: StorageTest): void {
  test("the texts of a contact read back code point for code point", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    const drafts = hostileTexts.map((text, index) =>
      contactDraft({
        email: `${index}@example.com`,
        fields: { name: text, phone: text, role: text, plan: text },
        attributes: { [attribute]: text },
      }),
    );
    const answered = (await storage.upsertContacts(drafts)).map((result) => accepted(result).contact);
    const listed = await allContacts(storage);
    for (const [index, text] of hostileTexts.entries()) {
      const found = await storage.findContact(workspace, { externalId: `${index}@example.com` });
      for (const contact of [answered[index], listed[index], found]) {
        assert.ok(contact);
        const { name, phone, role, plan, attributes } = contact;
        assert.deepEqual([name, phone, role, plan, attributes], [text, text, text, text, { [attribute]: text }]);
      }
    }
  });

  test("the texts of an update read back code point for code point", async ({ storage }) => {
    const [attribute] = await newAttributes(storage, 1);
    await createContact(storage);
    for (const text of hostileTexts) {
      const fields = { name: text, phone: text, role: text, plan: text };
      const updated = await storage.updateContact(contactUpdate({ fields, attributes: { [attribute]: text } }));
      const { name, phone, role, plan, attributes } = accepted(updated);
      assert.deepEqual([name, phone, role, plan, attributes], [text, text, text, text, { [attribute]: text }]);
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), updated);
    }
  });

  test("an avatarUrl reads back code point for code point", async ({ storage }) => {
    await createContact(storage);
    for (const path of ["%_\\'\"`", "A", "a", "é", "e\u0301", "ß", "ss", "😀", "\0", "?__proto__#constructor"]) {
      const avatarUrl = `https://example.com/${path}`;
      assert.equal(accepted(await update(storage, { fields: { avatarUrl } })).avatarUrl, avatarUrl);
      assert.equal((await storage.findContact(workspace, { externalId: "ada@example.com" }))?.avatarUrl, avatarUrl);
    }
  });

  test("externalIds that only look alike are different, and each finds its own contact", async ({ storage }) => {
    const ids: string[] = [];
    for (const [index, externalId] of hostileExternalIds.entries()) {
      const { id } = await createContact(storage, { email: `${index}@example.com`, fields: { externalId } });
      ids.push(id);
    }
    for (const [index, externalId] of hostileExternalIds.entries()) {
      const found = await storage.findContact(workspace, { externalId });
      assert.deepEqual([found?.id, found?.externalId], [ids[index], externalId]);
      assert.equal((await recordEvent(storage, { contact: { externalId } })).contactId, ids[index]);
      assert.equal((await eventsOf(storage, externalId))?.length, 1);
      assert.equal(accepted(await update(storage, { externalId, fields: { name: externalId } })).id, ids[index]);
      assert.equal(accepted(await storage.deleteContact(workspace, externalId, at)).contactId, ids[index]);
      assert.equal(await storage.findContact(workspace, { externalId }), null);
    }
  });

  test("emails that only look alike are different, and each finds its own contact", async ({ storage }) => {
    const ids: string[] = [];
    for (const email of hostileEmails) ids.push((await createContact(storage, { email })).id);
    for (const [index, email] of hostileEmails.entries()) {
      const found = await storage.findContact(workspace, { externalId: email });
      assert.deepEqual([found?.id, found?.email], [ids[index], email]);
      assert.equal((await recordEvent(storage, { contact: { email } })).contactId, ids[index]);
      assert.equal((await recordEvent(storage, { contact: { externalId: email } })).contactId, ids[index]);
      assert.equal(accepted(await upsert(storage, { email })).created, false);
      assert.deepEqual(await storage.deleteContact(workspace, email, at), { contactId: ids[index], events: 2 });
      assert.equal(await storage.findContact(workspace, { externalId: email }), null);
    }
  });

  test("event keys that only look alike are recorded, listed and counted apart", async ({ storage }) => {
    const { id } = await createContact(storage);
    const rows = await recordAll(
      storage,
      hostileEventKeys.map((eventKey) => eventDraft({ eventKey })),
    );
    const summaries = await storage.findSummaries(workspace, id);
    assert.equal(summaries.length, hostileEventKeys.length);
    for (const [index, eventKey] of hostileEventKeys.entries()) {
      assert.equal(rows[index]?.eventKey, eventKey);
      assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", eventKey, wholeList))?.rows, [
        rows[index],
      ]);
      assert.equal(summaries.find((summary) => summary.eventKey === eventKey)?.count, 1);
    }
  });

  test("the names of definitions and of API keys read back code point for code point", async ({ storage }) => {
    for (const name of hostileLabels) {
      assert.equal((accepted(await storage.putDefinition(definitionDraft({ name }))) as AttributeRow).body.name, name);
      assert.equal((await storage.listDefinitions(workspace, "attribute"))[0]?.body.name, name);
      const row = apiKeyRow({ name });
      await storage.insertApiKey(row);
      assert.deepEqual(await storage.findApiKey(row.hash), ownerOf(row));
    }
    const listed = await storage.listApiKeys(workspace);
    const listedNames = listed.map(({ name }) => name);
    assert.deepEqual(listedNames, hostileLabels);
  });

  test("prefixes of API keys that differ in case only are different", async ({ storage }) => {
    for (const prefix of ["sk_AAAAAAAAA", "sk_aaaaaaaaa", "sk_-_-_-_-_-"])
      await storage.insertApiKey(apiKeyRow({ prefix }));
    const listedPrefixes = (await storage.listApiKeys(workspace)).map(({ prefix }) => prefix);
    assert.deepEqual(listedPrefixes, ["sk_AAAAAAAAA", "sk_aaaaaaaaa", "sk_-_-_-_-_-"]);
  });

  test("the texts of a contact are kept as long as they may be", async ({ storage }) => {
    const text = "😀".repeat(250);
    const attributes = attributesOf(await newAttributes(storage, 100), "€".repeat(1_365));
    const contact = await createContact(storage, {
      email: `${"é".repeat(121)}@example.com`,
      fields: {
        externalId: "€".repeat(85),
        name: text,
        phone: text,
        avatarUrl: "https://example.com/".padEnd(2_048, "a"),
        role: text,
        plan: text,
      },
      attributes,
    });
    assert.deepEqual([contact.name, contact.attributes], [text, attributes]);
    assert.deepEqual(await storage.findContact(workspace, { externalId: "€".repeat(85) }), contact);
  });

  test("externalIds and emails that differ in their last byte only are different", async ({ storage }) => {
    const [one, two] = ["1", "2"].map((last) => "x".repeat(254) + last) as [string, string];
    const email = `${"x".repeat(243)}@example.c`;
    await createContact(storage, { email: `${email}o`, fields: { externalId: one } });
    await createContact(storage, { email: `${email}a`, fields: { externalId: two } });
    assert.equal((await storage.findContact(workspace, { externalId: two }))?.email, `${email}a`);
  });

  test("names and keys of definitions, events and API keys are kept in their full length", async ({ storage }) => {
    await createContact(storage);
    const [key, eventKey, name] = ["k".repeat(100), "😀".repeat(25), "😀".repeat(250)] as const;
    const definition = accepted(await storage.putDefinition(definitionDraft({ key, name }))) as AttributeRow;
    assert.deepEqual([definition.key, definition.body.name], [key, name]);
    assert.deepEqual(await storage.listDefinitions(workspace, "attribute"), [definition]);
    const row = apiKeyRow({ name });
    await storage.insertApiKey(row);
    assert.deepEqual(await storage.listApiKeys(workspace), [row]);
    const event = await recordEvent(storage, { eventKey });
    assert.deepEqual((await storage.listEvents(workspace, "ada@example.com", eventKey, wholeList))?.rows, [event]);
  });

  test("numbers of attributes read back exactly", async ({ storage }) => {
    const numbers = [0, -1.5, 0.1, 5e-324, 1e-7, 123456.789, 9_007_199_254_740_991, -9_007_199_254_740_991];
    const ids = await newAttributes(storage, numbers.length);
    const attributes = Object.fromEntries(numbers.map((number, index) => [ids[index]!, number]));
    await createContact(storage, { attributes });
    assert.deepEqual((await storage.findContact(workspace, { externalId: "ada@example.com" }))?.attributes, attributes);
  });
}

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
      assert.deepEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), ada);
      await createContact(storage, { email: "bob@example.com", at });
      const bob = accepted(
        await update(storage, { externalId: "bob@example.com", fields: { signedUpAt: time }, at: time }),
      );
      assert.deepEqual([bob.createdAt, bob.updatedAt, bob.signedUpAt], [at, time, time]);
      assert.deepEqual(await storage.findContact(workspace, { externalId: "bob@example.com" }), bob);

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
