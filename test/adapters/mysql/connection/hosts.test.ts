import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { hostsOf } from "../../../../adapters/mysql/connection/hosts.ts";
import { contactDraft, eventDraft, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { recordEvent, upsert } from "../../../../adapters/storage-contract/calls.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { countEvents, startPair, withFailover, type Failover } from "../../../support/failover.ts";
import { greeting } from "../../../support/greeting.ts";
import { freePort } from "../../../support/loopback.ts";
import { databaseSuite } from "../../../support/mysql.ts";
import { startProxy, type Proxy } from "../../../support/proxy.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { suite } from "../../../support/suite.ts";

const pair = await startPair();
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** The URL with these hosts for its own. */
function withHosts(url: string, ...hosts: string[]): string {
  return url.replace(/@[^/]*/, `@${hosts.join(",")}`);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** A storage on the URL, closed at the end. */
async function withStorage(url: string, run: (storage: MysqlStorage) => Promise<void>): Promise<void> {
  const storage = mysqlStorage(url);
  try {
    await run(storage);
  } finally {
    await storage.close();
  }
}

/** A server that accepts, and sends what it is given to say. */
async function startTalker(say: Buffer | null, hear: (data: Buffer) => void = () => {}): Promise<Server> {
  // `unref`, so that it ends with a test that fails.
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("data", hear);
    if (say) socket.write(say);
  })
    .listen(0, "127.0.0.1")
    .unref();
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

suite({ name: "the hosts of a database URL", atOnce: 4 }, (test) => {
  for (const [url, hosts] of [
    ["mysql://u:p@a:3306,b:3307,c/w?x=1", ["a 3306", "b 3307", "c 3306"]],
    ["mysql://u:p@[::1],[fe80::2]:3307/w", ["::1 3306", "fe80::2 3307"]],
    ["mysql://u:p%2C%40%2F@a,b/w", ["a 3306", "b 3306"]],
    ["mysql://u:p,q@r@a,b/w", ["a 3306", "b 3306"]],
    ["mysql://a,b/w", ["a 3306", "b 3306"]],
    ["mysql://u:p,q@a/w,x?y=1,2", []],
    ["mysql://u:p@a:3306/w", []],
    ["a,b", []],
  ] as const) {
    test(`of ${url} are ${hosts.join(", ") || "one"}`, () =>
      assert.deepEqual(
        hostsOf(url).map(({ host, port }) => `${host} ${port}`),
        hosts,
      ));
  }

  for (const [hosts, wrong] of [
    ["a,,b", "2 of 3"],
    ["a,", "2 of 2"],
    [",b", "1 of 2"],
    ["a:x,b", "1 of 2"],
    ["a,b:70000", "2 of 2"],
    ["::1,::2", "1 of 2"],
    ["a,b%", "2 of 2"],
  ]) {
    test(`are refused at first use, in one line, if one is wrong: ${hosts}`, async () => {
      const message = `whodid needs a host, or a host and a port, between the commas of a database URL; number ${wrong} is neither.`;
      await withStorage(`mysql://u:secret@${hosts}/w`, (storage) =>
        assert.rejects(storage.findContact(workspace, { externalId: "a" }), { code: "unusable_database", message }),
      );
    });
  }

  test("are each checked by TLS under their own name", async () => {
    const heard: Buffer[] = [];
    const talker = await startTalker(greeting(), (data) => heard.push(data));
    const url = `mysql://u:p@127.0.0.1:${await freePort()},localhost:${portOf(talker)}/w?ssl={}`;
    await withStorage(url, async (storage) => {
      await refusalOf(storage.findContact(workspace, { externalId: "a" }));
      // The name is in the first message of TLS, in clear.
      assert.ok(Buffer.concat(heard).includes("localhost"));
    });
    talker.close();
  });

  test("are all tried once a call, which then is storage_unavailable for the reason of the last", async () => {
    const ports = [await freePort(), await freePort()];
    await withStorage(`mysql://u:p@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/w`, async (storage) => {
      for (const _ of range(3)) {
        const refusal = await refusalOf(storage.findContact(workspace, { externalId: "a" }));
        assert.equal(refusal.code, "storage_unavailable");
        assert.equal((refusal.cause as { code?: string }).code, "ECONNREFUSED");
      }
    });
  });
});

databaseSuite("several hosts in a database URL", pair?.first ?? null, (test) => {
  /** Proxies to both servers, and a storage that is given both. */
  const listed = (run: (listed: Failover & { storage: MysqlStorage; proxies: [Proxy, Proxy] }) => Promise<void>) =>
    withFailover(pair!, async (failover) => {
      const second = await startProxy(pair!.second.url);
      const storage = mysqlStorage(withHosts(failover.url, hostOf(failover.url), hostOf(second.url)));
      try {
        await run({ ...failover, storage, proxies: [failover.proxy, second] });
      } finally {
        await storage.close();
        await second.close();
      }
    });

  for (const [what, say] of [
    ["refuses", null],
    ["accepts and says nothing", ""],
  ] as const) {
    test(`pass over one that ${what}, within the time of a call`, () =>
      withFailover(pair!, async ({ url }) => {
        const silent = say === null ? null : await startTalker(null);
        const first = `127.0.0.1:${silent ? portOf(silent) : await freePort()}`;
        await withStorage(`${withHosts(url, first, hostOf(url))}?connectionLimit=2`, async (storage) => {
          const calls = range(20).map(() => storage.findContact(workspace, { externalId: "ada@example.com" }));
          assert.ok((await Promise.all(calls)).every((contact) => contact !== null));
        });
        silent?.close();
      }));
  }

  test("have calls go on at the next when one freezes, within the time of a call", () =>
    listed(async ({ storage, proxies: [first, second] }) => {
      const read = (): Promise<unknown> => storage.findContact(workspace, { externalId: "ada@example.com" });
      // So that many connections to the first are idle.
      await Promise.all(range(20).map(read));
      second.lead(pair!.first.url);
      first.freeze();
      // Each call gets one of them. A slow machine may need more than one call.
      await untilAnswered(15_000, read);
      await Promise.all([
        recordEvent(storage),
        upsert(storage, { fields: { name: "Ada" } }),
        storage.transaction((inside) => recordEvent(inside)),
      ]);
      assert.ok(second.seen.commits > 0);
    }));

  test("are not left because a statement takes long: one that greets a new connection is kept", () =>
    listed(async ({ url, proxies: [first, second] }) => {
      const patient = `${withHosts(url, hostOf(first.url), hostOf(second.url))}?connectTimeout=30000`;
      await withStorage(patient, async (storage) => {
        const [slept] = await storage.transaction((_, connection) => connection.query("SELECT SLEEP(5) AS slept"));
        assert.deepEqual(slept, [{ slept: 0 }]);
        // That of the function, and at least one that asked for a greeting.
        assert.ok(first.seen.connections >= 2);
        assert.equal(second.seen.connections, 0);
      });
    }));

  test("take a password with percent-encoded commas and at signs", () =>
    withFailover(pair!, async ({ url }) => {
      const admin = await mysql.createConnection(pair!.first.url);
      const { username } = new URL(url);
      await admin.query(`ALTER USER '${username}'@'%' IDENTIFIED BY 'a,b@c/d'`);
      await admin.end();
      const own = new URL(url);
      own.password = "a%2Cb%40c%2Fd";
      await withStorage(withHosts(own.href, `127.0.0.1:${await freePort()}`, own.host), async (storage) =>
        assert.notEqual(await storage.findContact(workspace, { externalId: "ada@example.com" }), null),
      );
    }));

  test("are not tried any further when one refuses the password", () =>
    listed(async ({ url, proxies: [first, second] }) => {
      const wrong = new URL(url);
      wrong.password = "wrong";
      await withStorage(withHosts(wrong.href, hostOf(first.url), hostOf(second.url)), (storage) =>
        assert.rejects(storage.findContact(workspace, { externalId: "a" })),
      );
      assert.equal(second.seen.connections, 0);
    }));

  test("have calls go on at the next when one goes away, and each event recorded once", () =>
    listed(async ({ storage, storages, proxies: [first, second] }) => {
      // To the same server, as behind two proxies: a COMMIT may have taken effect whose answer was lost.
      second.lead(pair!.first.url);
      assert.equal(await recordWhile(storage, first.fall), await countEvents(storages));
      assert.ok(second.seen.connections > 0);
    }));

  test("have no one go back to a host that is up again, until the other fails", () =>
    listed(async ({ storage, proxies: [first, second] }) => {
      const read = (): Promise<unknown[]> =>
        Promise.all(range(20).map(() => storage.findContact(workspace, { externalId: "ada@example.com" })));
      await read();
      await first.fall();
      await read();
      await first.rise();
      const { connections } = first.seen;
      await read();
      assert.equal(first.seen.connections, connections);
      await second.fall();
      await read();
      assert.ok(first.seen.connections > connections);
    }));

  test("are used one at a time: no connection to an earlier one is used again", () =>
    listed(async ({ storage, proxies: [first, second] }) => {
      await storage.findContact(workspace, { externalId: "ada@example.com" });
      // What is open stays open, and new connections are cut.
      first.lead(`mysql://127.0.0.1:${await freePort()}`);
      const reads = range(20).map(() => storage.findContact(workspace, { externalId: "ada@example.com" }));
      await Promise.all(reads);
      const { executed } = first.seen;
      await Promise.all(range(20).map(() => storage.findContact(workspace, { externalId: "ada@example.com" })));
      assert.equal(first.seen.executed, executed);
      assert.ok(second.seen.executed > 0);
    }));

  test("lead on from a primary that has become read-only and stays up", () =>
    listed(async ({ storage, storages, makeReadOnly }) => {
      assert.equal(await recordWhile(storage, makeReadOnly), await countEvents(storages));
      await storages[1].upsertContacts([contactDraft({ email: "new@example.com" })]);
      const reads = await Promise.all(
        range(20).map(() => storage.findContact(workspace, { externalId: "new@example.com" })),
      );
      assert.ok(reads.every((contact) => contact !== null));
    }));
});

/** Records by twenty callers at once before, during and after the change. Resolves with how many events were recorded. */
async function recordWhile(storage: MysqlStorage, change: () => Promise<void>): Promise<number> {
  let ends = false;
  const callers = range(20).map(() => start(recordUntil(storage, () => ends)));
  await pause(300);
  await change();
  await pause(300);
  ends = true;
  const recorded = await Promise.all(callers.map(({ result }) => result));
  return recorded.reduce((sum, count) => sum + count, 0);
}

/** Resolves with how many events were recorded. Rejects as soon as one call does. */
async function recordUntil(storage: MysqlStorage, ends: () => boolean): Promise<number> {
  let recorded = 0;
  for (; !ends(); recorded++) await storage.recordEvents([eventDraft()]);
  return recorded;
}

/** Calls again after a rejection, until the time is over. */
async function untilAnswered(milliseconds: number, call: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    if (
      await call().then(
        () => true,
        () => false,
      )
    )
      return;
  }
  assert.fail(`no answer within ${milliseconds} ms`);
}
