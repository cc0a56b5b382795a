import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { DefinitionRow } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, atOnce, isRefused, refused } from "../calls.ts";
import {
  at,
  audienceDraft,
  checklistDraft,
  definitionDraft,
  eventTypeDraft,
  newIds,
  workspace,
  type DefinitionParts,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";

async function put(storage: Storage, parts: DefinitionParts): Promise<DefinitionRow> {
  return accepted(await storage.putDefinition(definitionDraft(parts)));
}

function allDefinitions(storage: Storage): Promise<DefinitionRow[]> {
  return storage.listDefinitions(workspace, "attribute");
}

export function definitions(test: StorageTest): void {
  test("a definition is created, answered and listed as it is stored", async ({ storage }) => {
    const id = newId(at);
    const draft = definitionDraft({ id, key: "seats", type: "number", name: "Seats", createdAt: 1_769_850_000_123 });
    const stored = {
      workspace: "acme",
      kind: "attribute",
      key: "seats",
      id,
      body: { type: "number", name: "Seats" },
      createdAt: 1_769_850_000_123,
    };
    assert.deepEqual(await storage.putDefinition(draft), stored);
    assert.deepEqual(await allDefinitions(storage), [stored]);
  });

  for (const type of ["text", "number", "boolean"] as const) {
    test(`a definition of the type ${type} is kept`, async ({ storage }) => {
      await put(storage, { type });
      assert.deepEqual((await allDefinitions(storage))[0]?.body, { type, name: null });
    });
  }

  for (const [what, given, name] of [
    ["takes the new name", "Places", "Places"],
    ["keeps its name where none is given", undefined, "Seats"],
    ["loses its name with null", null, null],
  ] as const) {
    test(`a definition put again keeps its id and createdAt, and ${what}`, async ({ storage }) => {
      const first = await put(storage, { name: "Seats" });
      const again = await put(storage, { name: given, createdAt: at + 1 });
      assert.deepEqual(again, { ...first, body: { type: "text", name } });
      assert.deepEqual(await allDefinitions(storage), [again]);
    });
  }

  test("a definition put again with another type is refused, and changes nothing", async ({ storage }) => {
    const first = await put(storage, { type: "text", name: "Seats" });
    const refusal = await storage.putDefinition(definitionDraft({ type: "number", name: "Places" }));
    assert.equal(refused(refusal, "attribute_conflict").conflict, null);
    assert.deepEqual(await allDefinitions(storage), [first]);
  });

  test("keys that differ in case only are two definitions", async ({ storage }) => {
    for (const key of ["seats", "Seats", "SEATS", "s_ats", "constructor"]) await put(storage, { key });
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "s_ats"), true);
    const listedKeys = (await allDefinitions(storage)).map(({ key }) => key);
    assert.deepEqual(listedKeys, ["seats", "Seats", "SEATS", "constructor"]);
  });

  test("definitions are listed by the time of their creation, then by id", async ({ storage }) => {
    const [one, two, three, four] = newIds(4) as [string, string, string, string];
    await put(storage, { key: "d", id: one, createdAt: at + 1 });
    await put(storage, { key: "c", id: four, createdAt: at });
    await put(storage, { key: "b", id: three, createdAt: at });
    await put(storage, { key: "a", id: two, createdAt: -1 });
    await put(storage, { key: "b", name: "Renamed", createdAt: at + 2 });
    const keys = (await allDefinitions(storage)).map(({ key }) => key);
    assert.deepEqual(keys, ["a", "b", "c", "d"]);
  });

  test("a deletion of a definition tells whether there was one", async ({ storage }) => {
    await put(storage, { key: "seats" });
    const places = await put(storage, { key: "places" });
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "other"), false);
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "seats"), true);
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "seats"), false);
    assert.deepEqual(await allDefinitions(storage), [places]);
  });

  test("a key defined anew has a new id, and may have another type", async ({ storage }) => {
    const first = await put(storage, { type: "text", name: "Seats" });
    await storage.deleteDefinition(workspace, "attribute", "seats");
    const draft = definitionDraft({ type: "number" });
    assert.notEqual(draft.id, first.id);
    assert.deepEqual(await storage.putDefinition(draft), { ...draft, body: { type: "number", name: null } });
  });

  test("a key has one definition of each kind, kept and replaced whole, and deleted alone", async ({ storage }) => {
    const key = "a";
    const rows: object[] = [await put(storage, { key })];
    const rule = { all: [{ kind: "has_done", eventKey: "\u{1F600} \\' --" }] } as const;
    const items = [
      { key: "hand", name: "By hand" },
      { key: "step", name: "Step", when: { kind: "count_greater_than", eventKey: "step", count: 2 } },
    ] as const;
    for (const [draft, again] of [
      [audienceDraft({ key, rule }), audienceDraft({ key, name: "Others", rule: { not: rule }, createdAt: at + 1 })],
      [checklistDraft({ key, items }), checklistDraft({ key, name: "Go", items: [items[1]], createdAt: at + 1 })],
      [
        eventTypeDraft({ key, name: "Step", properties: { "\u{1F600}": "number", ["__proto__"]: "text?" } }),
        eventTypeDraft({ key, createdAt: at + 1 }),
      ],
    ] as const) {
      assert.deepEqual(await storage.putDefinition(draft), draft);
      assert.deepEqual(await storage.listDefinitions(workspace, draft.kind), [draft]);
      const replaced = { ...draft, body: again.body };
      assert.deepEqual(await storage.putDefinition(again), replaced);
      rows.push(replaced);
    }
    const kinds = ["attribute", "audience", "checklist", "event"] as const;
    const listed = async () =>
      (await Promise.all(kinds.map((kind) => storage.listDefinitions(workspace, kind)))).flat();
    assert.deepEqual(await listed(), rows);
    assert.equal(await storage.deleteDefinition(workspace, "audience", key), true);
    assert.deepEqual(await listed(), rows.toSpliced(1, 1));
  });

  test("the key of an event type may be any event key", async ({ storage }) => {
    const keys = ["Order Completed", "step", "step ", "Step", "\u{1F600} \\' -- %", "é".repeat(50)];
    for (const key of keys) accepted(await storage.putDefinition(eventTypeDraft({ key })));
    assert.equal(await storage.deleteDefinition(workspace, "event", "step "), true);
    assert.deepEqual(
      (await storage.listDefinitions(workspace, "event")).map(({ key }) => key),
      keys.filter((key) => key !== "step "),
    );
  });

  test("a fresh list is that of the storage at the call", async ({ storage }) => {
    const fresh = (): Promise<DefinitionRow[]> => storage.listDefinitions(workspace, "attribute", { maxAgeMs: 0 });
    assert.deepEqual(await fresh(), []);
    const seats = await put(storage, {});
    assert.deepEqual(await fresh(), [seats]);
    const renamed = await put(storage, { name: "Seats" });
    assert.deepEqual(await fresh(), [renamed]);
    await storage.deleteDefinition(workspace, "attribute", "seats");
    assert.deepEqual(await fresh(), []);
  });

  test("a key that is put 20 times at once is one definition", async ({ storage }) => {
    const ids = newIds(20);
    const rows = await Promise.all(ids.map((id, index) => put(storage, { id, createdAt: at + index })));
    const [stored, ...others] = await allDefinitions(storage);
    assert.deepEqual(others, []);
    for (const row of rows) assert.deepEqual(row, stored);
    assert.equal(stored?.createdAt, at + ids.indexOf(stored?.id ?? ""));
  });

  test("a key that is put with two types at once has one of them, and the other is refused", async ({ storage }) => {
    const results = await atOnce(20, (index) =>
      storage.putDefinition(definitionDraft({ type: index % 2 === 0 ? "text" : "number" })),
    );
    const [stored] = await allDefinitions(storage);
    const refusals = results.filter(isRefused);
    for (const refusal of refusals) refused(refusal, "attribute_conflict");
    assert.deepEqual(
      results.filter((result) => !isRefused(result)),
      Array.from({ length: 10 }, () => stored),
    );
  });

  test("an audience is refused unless its rule fits the defined attributes and checklists", async ({ storage }) => {
    const seats = audienceDraft({ rule: seated });
    const started = audienceDraft({ key: "started", rule: { kind: "checklist_completed", checklistKey: "start" } });
    for (const draft of [seats, started]) refused(await storage.putDefinition(draft), "invalid_input");
    await put(storage, { type: "number" });
    const { issues } = refused(
      await storage.putDefinition({ ...seats, body: { ...seats.body, rule: named } }),
      "invalid_input",
    );
    assert.deepEqual(issues, ["rule.value attribute_wrong_type"]);
    assert.deepEqual(await storage.listDefinitions(workspace, "audience"), []);
    accepted(await storage.putDefinition(checklistDraft()));
    for (const draft of [seats, started]) assert.deepEqual(await storage.putDefinition(draft), draft);
  });

  test("an attribute or a checklist that an audience names is not deleted", async ({ storage }) => {
    await put(storage, {});
    accepted(await storage.putDefinition(checklistDraft()));
    const rule = { any: [seated, { kind: "checklist_completed", checklistKey: "start" }] } as const;
    accepted(await storage.putDefinition(audienceDraft({ rule })));
    for (const [kind, key] of [
      ["attribute", "seats"],
      ["checklist", "start"],
    ] as const) {
      refused(Object(await storage.deleteDefinition(workspace, kind, key)), "definition_in_use");
      assert.equal((await storage.listDefinitions(workspace, kind)).length, 1);
    }
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "other"), false);
    assert.equal(await storage.deleteDefinition(workspace, "audience", "doers"), true);
    assert.equal(await storage.deleteDefinition(workspace, "attribute", "seats"), true);
  });

  test("of an audience and the deletion of an attribute that it names, at once, one is refused", ({ storage }) =>
    defineWhileDeleting(storage, storage));
}

const seated = { kind: "attribute", key: "seats", operator: "is_set", value: true } as const;
const named = { kind: "attribute", key: "seats", operator: "equals", value: "ten" } as const;

/** Defines an audience by one storage while the other deletes the attribute that it names: exactly one succeeds. */
export async function defineWhileDeleting(one: Storage, other: Storage): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await put(one, {});
    const [audience, deleted] = await Promise.all([
      one.putDefinition(audienceDraft({ rule: seated })),
      other.deleteDefinition(workspace, "attribute", "seats"),
    ]);
    if (deleted === true) refused(audience, "invalid_input");
    else refused(Object(deleted), "definition_in_use");
    assert.equal(isRefused(audience), deleted === true);
    if (deleted !== true) assert.equal(await one.deleteDefinition(workspace, "audience", "doers"), true);
  }
}
