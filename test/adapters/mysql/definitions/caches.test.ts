import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { mysqlStorage } from "../../../../adapters/mysql/index.ts";
import {
  apiKeyRow,
  contactDraft,
  definitionDraft,
  eventDraft,
  eventTypeDraft,
  ownerOf,
  sha256,
  workspace,
} from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { proxiedBy } from "../../../support/proxied.ts";
import { until } from "../../../support/within.ts";

const server = await database();
const proxied = proxiedBy(server);

databaseSuite({ name: "what is remembered of keys and definitions", atOnce: 8 }, server, (test) => {
  test("a key that is known, and one that nobody has, cost no statement", () =>
    proxied(async ({ through, proxy }) => {
      const row = apiKeyRow();
      await through.insertApiKey(row);
      const findBoth = (): Promise<unknown> =>
        Promise.all([through.findApiKey(row.hash), through.findApiKey(sha256("x"))]);
      const found = await findBoth();
      const { executed } = proxy.seen;
      for (let n = 0; n < 10; n++) assert.deepEqual(await findBoth(), found);
      assert.deepEqual([found, proxy.seen.executed - executed], [[ownerOf(row), null], 0]);
    }));

  test("a revoked key is refused at once by who revoked it, and elsewhere after the cache's seconds", () =>
    proxied(
      async ({ through, url }) => {
        const other = mysqlStorage(url, { cacheSeconds: 1 });
        const row = apiKeyRow();
        await through.insertApiKey(row);
        for (const each of [through, other]) assert.deepEqual(await each.findApiKey(row.hash), ownerOf(row));
        await through.deleteApiKey(workspace, row.id);
        assert.equal(await through.findApiKey(row.hash), null);
        await until(async () => (await other.findApiKey(row.hash)) === null);
        await other.close();
      },
      { cacheSeconds: 1 },
    ));

  test("a new key is found at once by who made it, though it was just looked for, and elsewhere after the cache's seconds", () =>
    proxied(async ({ through, url }) => {
      const other = mysqlStorage(url, { cacheSeconds: 1 });
      const row = apiKeyRow();
      for (const each of [through, other]) assert.equal(await each.findApiKey(row.hash), null);
      await through.insertApiKey(row);
      assert.deepEqual(await through.findApiKey(row.hash), ownerOf(row));
      await until(async () => (await other.findApiKey(row.hash)) !== null);
      await other.close();
    }));

  test("definitions cost no statement, and a new, changed or deleted one is seen at once by who wrote it, and elsewhere after the cache's seconds", () =>
    proxied(async ({ through, proxy, url }) => {
      const other = mysqlStorage(url, { cacheSeconds: 1 });
      const names = async (storage = through): Promise<(string | null | undefined)[]> =>
        (await storage.listDefinitions(workspace, "attribute")).map(({ body }) => body.name);
      assert.deepEqual([await names(), await names(other)], [[], []]);
      await through.putDefinition(definitionDraft({ name: "Seats" }));
      assert.deepEqual(await names(), ["Seats"]);
      await until(async () => (await names(other))[0] === "Seats");
      await through.putDefinition(definitionDraft({ name: "Chairs" }));
      assert.deepEqual(await names(), ["Chairs"]);
      const { executed } = proxy.seen;
      for (let n = 0; n < 10; n++) await names();
      assert.equal(proxy.seen.executed, executed);
      await through.deleteDefinition(workspace, "attribute", "seats");
      assert.deepEqual(await names(), []);
      await until(async () => (await names(other)).length === 0);
      await other.close();
    }));

  test("a fresh list has what others wrote, whatever is remembered", () =>
    proxied(async ({ through, storage }) => {
      assert.deepEqual(await through.listDefinitions(workspace, "attribute"), []);
      const stored = await storage.putDefinition(definitionDraft());
      assert.deepEqual(await through.listDefinitions(workspace, "attribute"), []);
      assert.deepEqual(await through.listDefinitions(workspace, "attribute", { maxAgeMs: 0 }), [stored]);
    }));

  test("a tracker lists definitions as they are stored, whatever is remembered", () =>
    proxied(
      async ({ tracker, storage }) => {
        const other = createTracker({ storage });
        const rule = { kind: "has_done", eventKey: "step" } as const;
        const listAll = async (): Promise<number[]> => {
          const { attributes, audiences, checklists, eventTypes } = tracker;
          const lists: Promise<readonly unknown[]>[] = [
            attributes.list(),
            audiences.list(),
            checklists.list(),
            eventTypes.list(),
          ];
          return (await Promise.all(lists)).map(({ length }) => length);
        };
        assert.deepEqual(await listAll(), [0, 0, 0, 0]);
        await other.provision({
          events: [{ key: "step" }],
          attributes: [{ key: "seats", type: "number" }],
          audiences: [{ key: "doers", name: "Doers", rule }],
          checklists: [{ key: "start", name: "Start", items: [{ key: "one", name: "One" }] }],
        });
        assert.deepEqual(await listAll(), [1, 1, 1, 1]);
      },
      { cacheSeconds: 3_600 },
    ));

  test("a definition is deleted only while no audience of another process names it, whatever is remembered", () =>
    proxied(
      async ({ tracker, storage }) => {
        const other = createTracker({ storage });
        const deletion = (): Promise<string> =>
          tracker.attributes.delete("seats").then(
            () => "deleted",
            ({ code }: { code: string }) => code,
          );
        await other.attributes.define({ key: "seats", type: "number" });
        await assert.rejects(tracker.audiences.count("seated"));
        const rule = { kind: "attribute", key: "seats", operator: "is_set", value: true } as const;
        await other.audiences.define({ key: "seated", name: "Seated", rule });
        assert.equal(await deletion(), "definition_in_use");
        await other.audiences.delete("seated");
        assert.equal(await deletion(), "deleted");
      },
      { cacheSeconds: 3_600 },
    ));

  test("no event is refused by event types that others have changed more than a second ago", () =>
    proxied(
      async ({ through, storage }) => {
        await storage.upsertContacts([contactDraft()]);
        const send = async (eventKey = "step"): Promise<boolean> => {
          const [answer] = await through.recordEvents([eventDraft({ eventKey, mustBeDefined: true })]);
          return !("refused" in answer!);
        };
        await storage.putDefinition(eventTypeDraft({ properties: { total: "number" } }));
        assert.equal(await send(), false);
        await storage.putDefinition(eventTypeDraft({ properties: {} }));
        await pause(1_050);
        assert.equal(await send(), true);
        assert.equal(await send("other"), false);
        await storage.putDefinition(eventTypeDraft({ key: "other" }));
        await pause(1_050);
        assert.equal(await send("other"), true);
      },
      { cacheSeconds: 3_600 },
    ));

  test("with cacheSeconds of 0 nothing is remembered", () =>
    proxied(
      async ({ through, storage, proxy }) => {
        const row = apiKeyRow();
        await storage.insertApiKey(row);
        assert.deepEqual(await through.findApiKey(row.hash), ownerOf(row));
        assert.deepEqual(await through.listDefinitions(workspace, "attribute"), []);
        await storage.deleteApiKey(workspace, row.id);
        await storage.putDefinition(definitionDraft());
        assert.equal(await through.findApiKey(row.hash), null);
        assert.equal((await through.listDefinitions(workspace, "attribute")).length, 1);
        const { executed } = proxy.seen;
        for (let n = 0; n < 3; n++) await through.findApiKey(sha256("x"));
        assert.equal(proxy.seen.executed - executed, 3);
      },
      { cacheSeconds: 0 },
    ));

  test("five thousand keys that nobody has cost ten statements on one connection, and five thousand of one no more", () =>
    proxied(async ({ through, proxy }) => {
      const hashes = Array.from({ length: 5_000 }, (_, n) => sha256(`unknown ${n}`));
      const found = await Promise.all(hashes.map((hash) => through.findApiKey(hash)));
      // One that looks whether the connection is fit.
      assert.deepEqual([found.some(Boolean), proxy.seen.connections, proxy.seen.executed], [false, 1, 1 + 10]);
      const one = sha256("one");
      await Promise.all(hashes.map(() => through.findApiKey(one)));
      assert.ok(proxy.seen.executed <= 13);
    }));

  test("a failed look-up is not remembered, and changing an answer changes no later one", () =>
    proxied(async ({ through, pool }) => {
      const row = apiKeyRow();
      await through.insertApiKey(row);
      await through.putDefinition(definitionDraft({ name: "Seats" }));
      await pool.query("RENAME TABLE whodid_api_keys TO elsewhere");
      await assert.rejects(through.findApiKey(row.hash));
      await pool.query("RENAME TABLE elsewhere TO whodid_api_keys");
      const owner = await through.findApiKey(row.hash);
      owner!.workspace = "other";
      assert.deepEqual(await through.findApiKey(row.hash), ownerOf(row));
      const [definition] = await through.listDefinitions(workspace, "attribute");
      assert.throws(() => (definition!.body.name = "spoilt"), TypeError);
      const [again] = await through.listDefinitions(workspace, "attribute");
      assert.equal(again?.body.name, "Seats");
    }));
});

// Alone, because it stops the clock of all.
databaseSuite("event types that refuse events", server, (test) => {
  test("are read again at most once a second", () =>
    proxied(
      async ({ through, storage, proxy }) => {
        await storage.putDefinition(eventTypeDraft({ properties: { total: "number" } }));
        const send = async (): Promise<void> => {
          const calls = Array.from({ length: 20 }, () => through.recordEvents([eventDraft()]));
          for (const [answer] of await Promise.all(calls)) assert.ok(answer && "refused" in answer);
        };
        for (let n = 0; n < 20; n++) await send();
        const { now } = performance;
        let time = performance.now();
        performance.now = () => time;
        const readsAfter = async (ms: number): Promise<number> => {
          time += ms;
          const { executed, connections } = proxy.seen;
          for (let n = 0; n < 5; n++) await send();
          // Each new connection is looked at by a statement. A refused event without an idempotency key costs no other.
          return proxy.seen.executed - executed - (proxy.seen.connections - connections);
        };
        try {
          assert.deepEqual([await readsAfter(1_100), await readsAfter(900), await readsAfter(200)], [1, 0, 1]);
        } finally {
          performance.now = now;
        }
      },
      { cacheSeconds: 3_600 },
    ));
});
