import assert from "node:assert/strict";
import { idTimeMaxMs } from "../../../lib/model/limits.ts";
import type { ContactRow } from "../../../lib/storage/rows.ts";
import { accepted, recordEvent, refused, update, upsert, recordAll } from "../calls.ts";
import { contentOf, fillWorkspace, ofContact } from "../content.ts";
import { at, contactDraft, definitionDraft, eventDraft, ownerOf, rowsUpTo } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

export function workspaces(test: StorageTest): void {
  test("nothing of one workspace is read or changed from another", async ({ storage }) => {
    await fillWorkspace(storage, "acme");
    const before = await contentOf(storage, "acme");
    const [apiKey] = await storage.listApiKeys("acme");
    const [checklist] = await storage.listDefinitions("acme", "checklist");
    assert.ok(apiKey && checklist);
    const workspace = "other";
    assert.deepEqual((await contentOf(storage, workspace)).flat(), []);
    refused(await storage.listChanges(workspace, "all", null, rowsUpTo(1)), "definition_not_found");

    refused(await update(storage, { workspace, externalId: "u_1", fields: { name: "Other" } }), "contact_not_found");
    refused(await storage.deleteContact(workspace, "u_1", at), "contact_not_found");
    refused(await storage.deleteContact(workspace, "ada@example.com", at), "contact_not_found");
    assert.deepEqual(await recordAll(storage, [eventDraft({ workspace })]), [null]);
    const ofChecklist = { workspace, externalId: "u_1", checklistId: checklist.id };
    assert.equal(await storage.insertCompletion({ ...ofChecklist, itemKey: "hand", completedAt: at }), false);
    for (const dismissedAt of [at, null])
      assert.equal(await storage.putDismissal({ ...ofChecklist, dismissedAt }), false);
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "seats"), false);
    assert.equal(await storage.deleteApiKey(workspace, apiKey.id), false);
    assert.deepEqual(await contentOf(storage, "acme"), before);
    assert.deepEqual(await storage.findApiKey(apiKey.hash), ownerOf(apiKey));
  });

  test("what is written and deleted in one workspace leaves another as it was", async ({ storage }) => {
    for (const workspace of ["acme", "other"]) await fillWorkspace(storage, workspace);
    const before = await contentOf(storage, "acme");
    const workspace = "other";

    accepted(await upsert(storage, { workspace, fields: { plan: "pro" }, at: at + 1 }));
    accepted(await update(storage, { workspace, externalId: "u_1", fields: { role: "admin" }, at: at + 1 }));
    await recordEvent(storage, { workspace, createdAt: at + 1 });
    const { pruned } = await storage.pruneEvents(workspace, {
      before: at + 2,
      recordedBefore: idTimeMaxMs,
      after: null,
    });
    assert.equal(pruned, 3);
    accepted(await storage.putDefinition(definitionDraft({ workspace, name: "Other" })));
    const [[ada]] = before as [[ContactRow]];
    assert.deepEqual((await ofContact(storage, workspace, ada.id)).flat(), []);
    accepted(await storage.deleteContact(workspace, "u_1", at));
    await storage.deleteDefinition(workspace, "attribute", "seats");
    for (const { id } of await storage.listApiKeys(workspace)) await storage.deleteApiKey(workspace, id);
    assert.deepEqual(await contentOf(storage, "acme"), before);
    assert.deepEqual(await storage.listApiKeys(workspace), []);
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
    for (const workspace of names) await fillWorkspace(storage, workspace);
    for (const workspace of names) {
      const content = await contentOf(storage, workspace);
      const [[contact] = []] = content;
      assert.equal((contact as ContactRow).workspace, workspace);
      const lengths = content.map(({ length }) => length);
      assert.deepEqual(lengths, [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 4, 1, 1, 5]);
    }
  });
}
