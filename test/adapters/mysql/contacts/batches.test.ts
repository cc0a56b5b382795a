import assert from "node:assert/strict";
import { newId } from "../../../../lib/model/ids.ts";
import type { ContactDraft } from "../../../../lib/storage/rows.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { wholeList } from "../../../../adapters/storage-contract/drafts.ts";

const started = await database();

function draft(email: string, externalId: string | null): ContactDraft {
  const patch = { fields: { externalId }, attributes: {}, definedAttributeIds: [] };
  return { workspace: "default", contact: { email }, id: newId(1), patch, at: 1 };
}

databaseSuite("arrays of writes in mysql", started, (define, server) => {
  const test = testsOn(define, mysqlBy(server));
  test("names that contacts exchange in one array are written, though no single statement could", async (opened) => {
    const { storage } = opened;
    await storage.upsertContacts([draft("ada@example.com", "one"), draft("bob@example.com", "two")]);
    await storage.upsertContacts([
      draft("ada@example.com", null),
      draft("bob@example.com", "one"),
      draft("ada@example.com", "two"),
      // A new one takes what an old one gave up for it.
      draft("bob@example.com", "three"),
      draft("carol@example.com", "one"),
    ]);
    const contacts = (await storage.listContacts("default", wholeList)).rows;
    assert.deepEqual(
      contacts.map(({ email, externalId }) => [email, externalId]),
      [
        ["ada@example.com", "two"],
        ["bob@example.com", "three"],
        ["carol@example.com", "one"],
      ],
    );
  });
});
