import assert from "node:assert/strict";
import { foldEmail, wordSeparators } from "../../../lib/decisions/find-contact.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactSlice } from "../../../lib/storage/rows.ts";
import { accepted, createContact, update } from "../calls.ts";
import { at, contactDraft, rowsUpTo, wholeList, workspace } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { hostileTexts } from "../values/index.ts";

// The names of the contacts that the query finds, in the order of the list.
async function found(storage: Storage, query: string, parts: Partial<ContactSlice> = {}): Promise<(string | null)[]> {
  return (await storage.listContacts(workspace, { ...wholeList, ...parts, query })).rows.map(({ name }) => name);
}

export function contactQueries(test: StorageTest): void {
  test("a query finds by the beginning of email, externalId and name, each contact once", async ({ storage }) => {
    const contacts: Parameters<typeof contactDraft>[0][] = [
      { email: "ann@example.com", fields: { name: "by email" } },
      { email: "b@example.com", fields: { name: "by externalId", externalId: "anN_1" } },
      { email: "c@example.com", fields: { name: "ANnabel" } },
      { email: "anna@example.com", fields: { name: "Anna", externalId: "ANNA" } },
      { email: "joann@example.com", fields: { name: "Joann", externalId: "u_ann" } },
      { email: "d@example.com", fields: { role: "ann", plan: "ann", phone: "ann" } },
      { email: "e@example.com", fields: { name: "An" } },
    ];
    for (const contact of contacts) await createContact(storage, contact);
    const all = ["by email", "by externalId", "ANnabel", "Anna"];
    assert.deepEqual(await found(storage, "ann"), all);
    assert.deepEqual(await found(storage, "ann", { order: "newest" }), all.toReversed());
    assert.deepEqual(await found(storage, "anna"), ["ANnabel", "Anna"]);
    assert.deepEqual(await found(storage, "annabella"), []);
  });

  test("behind the beginnings a query finds by later words of the name, and by the email behind the @", async ({
    storage,
  }) => {
    const contacts: Parameters<typeof contactDraft>[0][] = [
      { email: "nina@example.com", fields: { name: "Nina Berg" } },
      { email: "a@berg.example", fields: { name: "By domain" } },
      { email: "b@example.com", fields: { name: "Berg Berg" } },
      { email: "c@example.com", fields: { name: "Liam O'bERG-Smith" } },
      { email: "d@mail.berg.example", fields: { name: "Lindberg", externalId: "u berg", role: "Head Berg" } },
      { email: "e@example.com", fields: { name: "\u00e9berg 1berg \u0301berg" } },
      { email: "berg@example.com", fields: { name: "Eva von Bergen" } },
      { email: "f@example.com", fields: { name: "Eva von Bergen" } },
    ];
    for (const contact of contacts) await createContact(storage, contact);
    const parts = [
      ["Berg Berg", "Eva von Bergen"],
      ["Nina Berg", "By domain", "Liam O'bERG-Smith", "Eva von Bergen"],
    ];
    assert.deepEqual(await found(storage, "berg"), parts.flat());
    assert.deepEqual(await found(storage, "berg", { order: "newest" }), parts.map((part) => part.toReversed()).flat());
    assert.deepEqual(await found(storage, "berg-s"), ["Liam O'bERG-Smith"]);
    assert.deepEqual(await found(storage, "@berg.ex"), ["By domain"]);
    assert.deepEqual(await found(storage, "von berg"), ["Eva von Bergen", "Eva von Bergen"]);
    for (const order of ["oldest", "newest"] as const) {
      for (const limit of [1, 2, 3, 5]) {
        const all = await found(storage, "berg", { order });
        const names: (string | null)[] = [];
        for (let after: ContactSlice["after"] = null; ;) {
          const slice: ContactSlice = { ...rowsUpTo(limit), after, order, query: "berg" };
          const { rows, more, next } = await storage.listContacts(workspace, slice);
          assert.ok(rows.length <= limit && names.length <= all.length);
          names.push(...rows.map(({ name }) => name));
          if (!more) break;
          after = next ?? rows.at(-1)!;
        }
        assert.deepEqual(names, all, `${order}, ${limit}`);
      }
    }
  });

  test("a query finds text of any kind by its bytes, but for the case of A to Z", async ({ storage }) => {
    const names = [...hostileTexts, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "@[`{"];
    const drafts = names.map((name, n) => contactDraft({ email: `${n}@example.com`, fields: { name } }));
    for (const result of await storage.upsertContacts(drafts)) accepted(result);
    const fold = (text: string): Buffer => Buffer.from(foldEmail(text));
    for (const query of names.map(foldEmail)) {
      const bytes = Buffer.from(query);
      const begins = (name: string, n: number): boolean =>
        [name, `${n}@example.com`].some((text) => fold(text).subarray(0, bytes.length).equals(bytes));
      const hasWord = (name: string): boolean => wordSeparators.some((word) => fold(name).includes(fold(word + query)));
      const byWord = (name: string, n: number): boolean =>
        !begins(name, n) && (hasWord(name) || "example.com".startsWith(query));
      const expected = [...names.filter(begins), ...names.filter(byWord)];
      assert.deepEqual(await found(storage, query), expected, JSON.stringify(query));
    }
  });

  test("a query finds a contact by what it is called now", async ({ storage }) => {
    await createContact(storage, { email: "ada@example.com", fields: { name: "Ada", externalId: "U_1" } });
    accepted(await update(storage, { externalId: "U_1", fields: { name: "Grace", externalId: "V_1" } }));
    for (const [query, count] of Object.entries({ ada: 1, grace: 1, u_: 0, v_: 1 })) {
      assert.equal((await found(storage, query)).length, count, query);
    }
    accepted(await update(storage, { externalId: "V_1", fields: { name: null, externalId: null } }));
    for (const query of ["grace", "v_"]) assert.deepEqual(await found(storage, query), [], query);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.deepEqual(await found(storage, "ada"), []);
  });

  test("contacts are counted", async ({ storage }) => {
    assert.equal(await storage.countContacts(workspace), 0);
    for (const email of ["ada@example.com", "bob@example.com"]) await createContact(storage, { email });
    await createContact(storage, { workspace: "other", email: "ada@example.com" });
    assert.equal(await storage.countContacts(workspace), 2);
    accepted(await storage.deleteContact(workspace, "ada@example.com", at));
    assert.equal(await storage.countContacts(workspace), 1);
  });
}
