import assert from "node:assert/strict";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactRow } from "../../../lib/storage/rows.ts";
import { accepted, createContact, recordEvent, refused, update, upsert, recordAll } from "../calls.ts";
import { apiKeyRow, at, contactDraft, definitionDraft, eventDraft, keyed, wholeList, ownerOf } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

// Everything in a workspace whose only contact is ada@example.com, with the externalId u_1.
async function contentOf(storage: Storage, workspace: string): Promise<unknown[]> {
  const ada = await storage.findContact(workspace, { externalId: "u_1" });
  return [
    ada,
    (await storage.listContacts(workspace, wholeList)).rows,
    (await storage.listEvents(workspace, "u_1", null, wholeList))?.rows ?? null,
    ada && (await storage.findSummaries(workspace, ada.id)),
    await storage.listDefinitions(workspace, "attribute"),
    await storage.listApiKeys(workspace),
    (await storage.listContacts(workspace, { ...wholeList, query: "ada" })).rows,
    (await storage.listRecentEvents(workspace, null, wholeList)).rows,
    (await storage.listRecentEvents(workspace, "step", wholeList)).rows,
    await storage.countContacts(workspace),
  ];
}

// Fills the workspace. Emails, externalIds, idempotency keys and attribute keys are the same in every workspace.
async function fill(storage: Storage, workspace: string): Promise<void> {
  await createContact(storage, { workspace, fields: { externalId: "u_1", name: workspace } });
  await recordEvent(storage, { workspace, ...keyed("k") });
  accepted(await storage.putDefinition(definitionDraft({ workspace })));
  await storage.insertApiKey(apiKeyRow({ workspace }));
}

export function workspaces(test: StorageTest): void {
  test("nothing of one workspace is changed from another", async ({ storage }) => {
    await fill(storage, "acme");
    const before = await contentOf(storage, "acme");
    const [apiKey] = await storage.listApiKeys("acme");
    assert.ok(apiKey);
    const workspace = "other";

    refused(await update(storage, { workspace, externalId: "u_1", fields: { name: "Other" } }), "contact_not_found");
    refused(await storage.deleteContact(workspace, "u_1", at), "contact_not_found");
    refused(await storage.deleteContact(workspace, "ada@example.com", at), "contact_not_found");
    assert.deepEqual(await recordAll(storage, [eventDraft({ workspace })]), [null]);
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "seats"), false);
    assert.equal(await storage.deleteApiKey(workspace, apiKey.id), false);
    assert.deepEqual(await contentOf(storage, "acme"), before);
    assert.deepEqual(await storage.findApiKey(apiKey.hash), ownerOf(apiKey));
  });

  test("what is written and deleted in one workspace leaves another as it was", async ({ storage }) => {
    for (const workspace of ["acme", "other"]) await fill(storage, workspace);
    const before = await contentOf(storage, "acme");
    const workspace = "other";

    accepted(await upsert(storage, { workspace, fields: { plan: "pro" }, at: at + 1 }));
    accepted(await update(storage, { workspace, externalId: "u_1", fields: { role: "admin" }, at: at + 1 }));
    await recordEvent(storage, { workspace, createdAt: at + 1 });
    accepted(await storage.putDefinition(definitionDraft({ workspace, name: "Other" })));
    accepted(await storage.deleteContact(workspace, "u_1", at));
    await storage.deleteDefinition(workspace, "attribute", "seats");
    for (const { id } of await storage.listApiKeys(workspace)) await storage.deleteApiKey(workspace, id);
    assert.deepEqual(await contentOf(storage, "acme"), before);
    assert.deepEqual(await contentOf(storage, "other"), [null, [], null, null, [], [], [], [], [], 0]);
    assert.deepEqual(await storage.findSummaries("other", (before[0] as ContactRow).id), []);
  });

  test("an idempotency hash is recorded in each workspace", async ({ storage }) => {
    await createContact(storage, { workspace: "acme" });
    await createContact(storage, { workspace: "other" });
    const [acme, other] = await recordAll(storage, [
      eventDraft({ workspace: "acme", ...keyed("k") }),
      eventDraft({ workspace: "other", ...keyed("k") }),
    ]);
    assert.notEqual(acme?.id, other?.id);
    assert.deepEqual(await recordAll(storage, [eventDraft({ workspace: "other", ...keyed("k") })]), [other]);
    assert.deepEqual(await recordAll(storage, [eventDraft({ workspace: "acme", ...keyed("k") })]), [acme]);
  });

  test("a definition of another type in another workspace is no conflict", async ({ storage }) => {
    for (const type of ["text", "number"] as const) {
      const draft = definitionDraft({ workspace: type, key: "seats", type });
      assert.deepEqual(accepted(await storage.putDefinition(draft)).body, { type, name: null });
    }
  });

  test("the items of one array may be of several workspaces", async ({ storage }) => {
    const acme = contactDraft({ workspace: "acme" });
    const other = contactDraft({ workspace: "other" });
    const again = contactDraft({ workspace: "acme" });
    const contacts = (await storage.upsertContacts([acme, other, again])).map(accepted);
    assert.deepEqual(
      contacts.map(({ contact, created }) => [contact.workspace, contact.id, created]),
      [
        ["acme", acme.id, true],
        ["other", other.id, true],
        ["acme", acme.id, false],
      ],
    );
    const events = await recordAll(
      storage,
      ["other", "third", "acme"].map((workspace) => eventDraft({ workspace })),
    );
    const contactIds = events.map((row) => row?.contactId);
    assert.deepEqual(contactIds, [other.id, undefined, acme.id]);
  });

  test("workspaces whose names look alike are different", async ({ storage }) => {
    const names = ["a", "a_", "a-", "ab", "_", "-", "0", "00", "__proto__", "constructor", "null", "a".repeat(64)];
    for (const workspace of names) await fill(storage, workspace);
    for (const workspace of names) {
      const [ada, ...lists] = await contentOf(storage, workspace);
      assert.equal((ada as ContactRow).name, workspace);
      const lengths = lists.map((list) => (Array.isArray(list) ? list.length : list));
      assert.deepEqual(lengths, Array(9).fill(1));
    }
  });
}
