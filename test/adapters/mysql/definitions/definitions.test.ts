import assert from "node:assert/strict";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import { defineWhileDeleting } from "../../../../adapters/storage-contract/definitions/writes.ts";
import { exportContacts } from "../../../../lib/exports/all.ts";
import { createTracker, type Contact, type InTransaction, type Tracker } from "../../../../lib/index.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { proxiedBy } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";

const server = await database();
const onMysql = mysqlBy(server);
const proxied = proxiedBy(server);

interface Opened extends OpenedMysql {
  /** The storage of the other tracker. */
  others: Storage;
}

/** Two trackers of one database, like those of two processes. What one remembers of definitions it keeps. */
function withTwo(run: (one: Tracker, other: Tracker, opened: Opened) => Promise<void>): Promise<void> {
  return onMysql((opened) => {
    const open = (): Storage => opened.open({ cacheSeconds: 3_600 });
    const others = open();
    return run(createTracker({ storage: open() }), createTracker({ storage: others }), { ...opened, others });
  });
}

const ada = "ada@example.com";

type Answered = Pick<Contact, "customAttributes"> | null | undefined;

/** The contact in the result of the second of two items; the first is refused. */
async function upsertedBy(upsertMany: InTransaction["contacts"]["upsertMany"]): Promise<Answered> {
  const answers: Answered[] = [];
  await upsertMany([{ email: "" }, { email: ada }], (result) => void answers.push(result.ok ? result.contact : null));
  return answers[1];
}

const items = [{ key: "hand", name: "By hand" }];

databaseSuite({ name: "definitions of two processes", atOnce: 4 }, server, (define) => {
  const test = testsOn(define, withTwo);
  test("an attribute is known at once to a process that has just listed the attributes", async (one, other) => {
    await one.attributes.define({ key: "plan", type: "text" });
    await one.contacts.upsert({ email: ada, customAttributes: { plan: "pro" } });
    await other.attributes.define({ key: "seats", type: "number" });
    const { contact } = await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
    assert.deepEqual(contact.customAttributes, { plan: "pro", seats: 1 });
  });

  test("every answer has the value of an attribute that another process has defined since the last answer", async (one, other, {
    others,
  }) => {
    const scope = { storage: others, workspace: "default", now: () => 0 };
    const exported = async (audience: string | null): Promise<Answered> => {
      for await (const [contact] of exportContacts(scope, { since: null, audience })) return contact;
      return undefined;
    };
    const everybody = { kind: "has_not_done", eventKey: "step" } as const;
    const changed = { name: "Ada", customAttributes: { plan: "pro" } };
    const ways: Record<string, () => Promise<Answered>> = {
      update: () => other.contacts.update(ada, { name: "Ada" }),
      "update of an attribute": () => other.contacts.update(ada, changed),
      upsert: async () => (await other.contacts.upsert({ email: ada })).contact,
      "upsert of an attribute": async () => (await other.contacts.upsert({ email: ada, ...changed })).contact,
      upsertMany: () => upsertedBy(other.contacts.upsertMany),
      "upsertMany in a transaction": () => other.transaction(({ contacts }) => upsertedBy(contacts.upsertMany)),
      get: () => other.contacts.get(ada),
      list: async () => (await other.contacts.list()).items[0],
      members: async () => (await other.audiences.members(everybody)).items[0],
      "export of a contact": async () => (await other.contacts.export(ada)).contact,
      "export of contacts": () => exported(null),
      "export of members": () => exported("everybody"),
    };
    await one.attributes.define({ key: "plan", type: "text" });
    await one.audiences.define({ key: "everybody", name: "Everybody", rule: everybody });
    for (const [way, answer] of Object.entries(ways)) {
      await one.contacts.upsert({ email: ada, customAttributes: { plan: "pro" } });
      assert.deepEqual((await answer())?.customAttributes, { plan: "pro" }, way);
      await one.attributes.define({ key: "mark", type: "number" });
      await one.contacts.update(ada, { customAttributes: { mark: 7 } });
      assert.deepEqual((await answer())?.customAttributes, { plan: "pro", mark: 7 }, way);
      await one.contacts.delete(ada);
      await one.attributes.delete("mark");
    }
  });

  test("a type that another process has changed refuses no value of the new type", async (one, other) => {
    await one.attributes.define({ key: "seats", type: "number" });
    await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
    await other.attributes.delete("seats");
    await other.attributes.define({ key: "seats", type: "text" });
    const updated = await one.contacts.update(ada, { customAttributes: { seats: "ten" } });
    assert.deepEqual(updated.customAttributes, { seats: "ten" });
  });

  test("an audience, a checklist and its item are known at once to a process that has just listed them", async (one, other) => {
    await one.contacts.upsert({ email: ada });
    const rule = { kind: "has_not_done", eventKey: "step" } as const;
    await one.audiences.define({ key: "first", name: "First", rule });
    await one.checklists.define({ key: "first", name: "First", items });
    assert.deepEqual(await one.contacts.audiences(ada), ["first"]);
    await one.checklists.progress(ada);
    await other.audiences.define({ key: "second", name: "Second", rule });
    assert.equal(await one.audiences.count("second"), 1);
    await other.checklists.define({ key: "second", name: "Second", items });
    assert.equal((await one.checklists.counts("second")).length, 1);
  });

  test("an item that another process has added is completed at once", async (one, other) => {
    await one.contacts.upsert({ email: ada });
    await one.checklists.define({ key: "start", name: "Start", items });
    await one.checklists.progress(ada);
    await other.checklists.define({ key: "start", name: "Start", items: [...items, { key: "new", name: "New" }] });
    assert.equal((await one.checklists.complete(ada, "start", "new")).progress.completed, 1);
  });

  test("no value is stored under the id of an attribute that another process has deleted and defined again", async (one, other) => {
    await one.attributes.define({ key: "seats", type: "number" });
    const redefine = async (): Promise<void> => {
      await other.attributes.delete("seats");
      await other.attributes.define({ key: "seats", type: "number" });
    };
    const calls = [
      () => one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } }),
      () => one.contacts.update(ada, { customAttributes: { seats: 2 } }),
      () => one.contacts.upsertMany([{ email: ada, customAttributes: { seats: 3 } }]),
      () => one.transaction(({ contacts }) => contacts.upsert({ email: ada, customAttributes: { seats: 4 } })),
    ];
    for (const [index, call] of calls.entries()) {
      await call();
      await redefine();
      assert.deepEqual((await other.contacts.get(ada))?.customAttributes, {});
      await call();
      assert.deepEqual((await other.contacts.get(ada))?.customAttributes, { seats: index + 1 });
    }
  });

  test("a value of an attribute that another process has deleted is refused", async (one, other) => {
    await one.attributes.define({ key: "seats", type: "number" });
    await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
    await other.attributes.delete("seats");
    const refusal = await refusalOf(one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } }));
    assert.deepEqual(
      refusal.issues?.map(({ code }) => code),
      ["attribute_not_defined"],
    );
  });

  define("values of deleted attributes cause one more read, in a process and not in a call", () =>
    proxied(async ({ tracker, through, proxy }) => {
      const emails = [ada, "bob@example.com", "cy@example.com"];
      for (const [n, email] of emails.entries()) {
        await tracker.attributes.define({ key: `seats${n}`, type: "number" });
        await tracker.contacts.upsert({ email, customAttributes: { [`seats${n}`]: 1 } });
        await tracker.attributes.delete(`seats${n}`);
      }
      const one = createTracker({ storage: through });
      const statementsOf = async (call: () => Promise<unknown>): Promise<number> => {
        const { executed } = proxy.seen;
        await call();
        return proxy.seen.executed - executed;
      };
      const upsert = (names: string[]) => (): Promise<unknown> =>
        one.transaction(({ contacts }) => contacts.upsertMany(names.map((email) => ({ email }))));
      const without = ["dee@example.com", "eve@example.com", "flo@example.com"];
      await statementsOf(upsert(without));
      const statements = await statementsOf(upsert(without));
      assert.deepEqual(
        [await statementsOf(upsert(emails)), await statementsOf(upsert(emails))],
        [statements + 2, statements + 1],
      );
      const list = (): Promise<unknown> => one.contacts.list();
      assert.deepEqual([await statementsOf(list), await statementsOf(list)], [2, 1]);
    }),
  );

  define("an upsert reads attributes in its transaction only if it has some", () =>
    proxied(async ({ proxy }) => {
      const pool = createPool(proxy.url);
      const tracker = createTracker({ storage: mysqlStorage(pool) });
      await tracker.attributes.define({ key: "seats", type: "number" });
      const statementsOf = async (customAttributes?: { seats: number }): Promise<number> => {
        const { executed } = proxy.seen;
        await tracker.contacts.upsert({ email: ada, ...(customAttributes && { customAttributes }) });
        return proxy.seen.executed - executed;
      };
      for (const seats of [1, 2]) await statementsOf({ seats });
      const plain = await statementsOf();
      assert.equal((await statementsOf({ seats: 2 })) - plain, 1);
      await pool.end();
    }),
  );

  test("of an audience and the deletion of an attribute that it names, by two processes at once, one is refused", (_one, _other, {
    storage,
    open,
  }) => defineWhileDeleting(storage, open()));
});
