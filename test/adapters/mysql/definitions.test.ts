import assert from "node:assert/strict";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { defineWhileDeleting } from "../../../adapters/storage-contract/definitions.ts";
import { createTracker, type Tracker } from "../../../lib/index.ts";
import { database, databaseSuite, openMysql, type OpenedMysql } from "../../support/mysql.ts";
import { proxiedBy } from "../../support/proxied.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";

const server = await database();
const proxied = proxiedBy(server);

/** Two trackers of one database, like those of two processes. What one remembers of definitions it keeps. */
async function withTwo(run: (one: Tracker, other: Tracker, opened: OpenedMysql) => Promise<void>): Promise<void> {
  const opened = await openMysql(server!);
  const make = (): Tracker => createTracker({ storage: mysqlStorage(opened.url, { cacheSeconds: 3_600 }) });
  const [one, other] = [make(), make()];
  try {
    await run(one, other, opened);
  } finally {
    await Promise.all([one.close(), other.close()]);
    await opened.dispose();
  }
}

const ada = "ada@example.com";
const items = [{ key: "hand", name: "By hand" }];

databaseSuite({ name: "definitions of two processes", atOnce: 4 }, server, (test) => {
  test("an attribute is known at once to a process that has just listed the attributes", () =>
    withTwo(async (one, other) => {
      await one.attributes.define({ key: "plan", type: "text" });
      await one.contacts.upsert({ email: ada, customAttributes: { plan: "pro" } });
      await other.attributes.define({ key: "seats", type: "number" });
      const { contact } = await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
      assert.deepEqual(contact.customAttributes, { plan: "pro", seats: 1 });
    }));

  test("a type that another process has changed refuses no value of the new type", () =>
    withTwo(async (one, other) => {
      await one.attributes.define({ key: "seats", type: "number" });
      await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
      await other.attributes.delete("seats");
      await other.attributes.define({ key: "seats", type: "text" });
      const updated = await one.contacts.update(ada, { customAttributes: { seats: "ten" } });
      assert.deepEqual(updated.customAttributes, { seats: "ten" });
    }));

  test("an audience, a checklist and its item are known at once to a process that has just listed them", () =>
    withTwo(async (one, other) => {
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
    }));

  test("an item that another process has added is completed at once", () =>
    withTwo(async (one, other) => {
      await one.contacts.upsert({ email: ada });
      await one.checklists.define({ key: "start", name: "Start", items });
      await one.checklists.progress(ada);
      await other.checklists.define({ key: "start", name: "Start", items: [...items, { key: "new", name: "New" }] });
      assert.equal((await one.checklists.complete(ada, "start", "new")).progress.completed, 1);
    }));

  test("no value is stored under the id of an attribute that another process has deleted and defined again", () =>
    withTwo(async (one, other) => {
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
    }));

  test("a value of an attribute that another process has deleted is refused", () =>
    withTwo(async (one, other) => {
      await one.attributes.define({ key: "seats", type: "number" });
      await one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } });
      await other.attributes.delete("seats");
      const refusal = await refusalOf(one.contacts.upsert({ email: ada, customAttributes: { seats: 1 } }));
      assert.deepEqual(
        refusal.issues?.map(({ code }) => code),
        ["attribute_not_defined"],
      );
    }));

  test("an upsert reads attributes in its transaction only if it has some", () =>
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
    }));

  test("of an audience and the deletion of an attribute that it names, by two processes at once, one is refused", () =>
    withTwo(async (_one, _other, { storage, url }) => {
      const another = mysqlStorage(url);
      await defineWhileDeleting(storage, another);
      await another.close();
    }));
});
