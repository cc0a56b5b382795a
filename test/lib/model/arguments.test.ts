import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { mysqlMigrations, mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createClient } from "../../../lib/client/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { withoutMore } from "../../../lib/model/arguments.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

type Methods = Record<string, (...args: unknown[]) => unknown>;

const tracker = createTracker({ storage: memoryStorage() });
const client = createClient({
  url: "http://localhost/api/v1",
  key: null,
  fetch: () => assert.fail("a refused call sends nothing"),
});
/** Methods by the number of their parameters. */
const parameters: [number, (from: Methods & Record<string, Methods>) => unknown][] = [
  [0, ({ contacts }) => contacts!["count"]],
  [1, ({ contacts }) => contacts!["upsert"]],
  [1, ({ contacts }) => contacts!["list"]],
  [2, ({ contacts }) => contacts!["delete"]],
  [3, ({ contacts }) => contacts!["upsertMany"]],
  [2, ({ events }) => events!["track"]],
  [3, ({ events }) => events!["trackMany"]],
  [2, ({ events }) => events!["each"]],
  [2, ({ audiences }) => audiences!["members"]],
  [2, ({ subscriptions }) => subscriptions!["changes"]],
  [2, ({ subscriptions }) => subscriptions!["resume"]],
];
const ofTrackers: typeof parameters = [
  [2, ({ events }) => events!["prune"]],
  [3, ({ subscriptions }) => subscriptions!["consume"]],
  [1, (from) => from["provision"]],
  [1, (from) => from["compare"]],
  [2, (from) => from["removeUnlisted"]],
  [2, (from) => from["transaction"]],
  [1, (from) => from["within"]],
  [1, (from) => from["workspace"]],
  [1, (from) => from["work"]],
  [1, ({ workspaces }) => workspaces!["delete"]],
];

suite("arguments", (test) => {
  for (const [name, from, methods] of [
    ["tracker", tracker, [...parameters, ...ofTrackers]],
    ["client", client, parameters],
  ] as const) {
    test(`a method of a ${name} refuses a function or an object after its last parameter`, async () => {
      for (const [count, find] of methods) {
        const method = find(untyped(from)) as Methods[string];
        for (const more of [{ notify: false }, () => {}, new Map()]) {
          const args = [...Array.from({ length: count }), more];
          const message = new RegExp(`^\\w+: argument ${count + 1} is one too many$`);
          await assert.rejects(async () => method(...args), { name: "TypeError", message });
        }
      }
    });

    test(`events.each of a ${name} takes nothing after a page`, () => {
      assert.throws(() => from.events.each(untyped({ limit: 1 }), { limit: 2 }), {
        name: "TypeError",
        message: "each: argument 2 is one too many",
      });
    });
  }

  test("a number and a list, as map passes them, are ignored, and so is what follows handle", async () => {
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const found = await Promise.all(["ada@example.com", "bob@example.com"].map(tracker.contacts.get));
    assert.deepEqual(
      found.map((contact) => contact?.email),
      ["ada@example.com", undefined],
    );
    const handle = tracker.handle as (...args: unknown[]) => Promise<Response>;
    assert.equal((await handle(new Request("http://localhost/api/v1/contacts"), { params: {} })).status, 401);
  });

  test("a method that returns a promise rejects, and another throws", async () => {
    const { get, each } = withoutMore({ get: async () => 1, each: () => 1 }) as unknown as Methods;
    const refused = get!({});
    await assert.rejects(refused as Promise<unknown>, TypeError);
    assert.throws(() => each!({}), TypeError);
  });

  test("options come before the handler", async () => {
    await tracker.subscriptions.define({ key: "all", on: { events: true } });
    const consume = tracker.subscriptions.consume as (...args: unknown[]) => unknown;
    for (const more of [{ transaction: true }, () => {}]) {
      assert.throws(() => consume("all", () => {}, more), {
        name: "TypeError",
        message: "consume: options come before the handler",
      });
    }
  });

  test("options in the place of a function are refused before the first write", async () => {
    const order = untyped({ notify: false });
    const ada = { email: "ada@example.com" };
    const fresh = createTracker({ storage: memoryStorage() });
    const refused = { name: "TypeError", message: "options come after the function for each result" };
    await assert.rejects(fresh.contacts.upsertMany([ada], order), refused);
    await assert.rejects(
      fresh.transaction((tx) => tx.contacts.upsertMany([ada], order)),
      refused,
    );
    await assert.rejects(client.contacts.upsertMany([ada], order), refused);
    assert.equal(await fresh.contacts.count(), 0);
    await assert.rejects(fresh.events.prune({ before: new Date(0) }, untyped({ dryRun: true })), {
      name: "TypeError",
      message: "events.prune takes its options before the function",
    });
  });

  test("the storage of a database has no other options", async () => {
    const url = "mysql://nobody@127.0.0.1:1/nowhere";
    const wrong = untyped({ prefix: "a_" });
    assert.throws(() => mysqlStorage(url, wrong), { message: 'mysqlStorage has no option "prefix"' });
    assert.throws(() => mysqlMigrations(wrong), { message: 'mysqlMigrations has no option "prefix"' });
    const storage = mysqlStorage(url);
    await assert.rejects(storage.migrate(wrong), { message: 'migrate has no option "prefix"' });
    await storage.close();
  });
});
