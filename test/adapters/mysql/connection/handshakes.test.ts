import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import mysql from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../../../adapters/mysql/index.ts";
import { atOnce, record, update, upsert } from "../../../../adapters/storage-contract/calls.ts";
import { workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { start } from "../../../../adapters/storage-contract/pending.ts";
import { greeting } from "../../../support/greeting.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { proxiedBy } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { suite, testsOn } from "../../../support/suite.ts";

const server = await database();

/** A server that loses each connection that it has accepted. */
interface Loser {
  /** Its host and port. */
  address: string;
  /** Of each connection, whether 45 ms had passed since the one before. */
  accepted: boolean[];
  /** Resolves when so many connections were accepted, or when the call has ended. */
  reached(count: number, call: Promise<unknown>): Promise<void>;
  /** Refuses connections from now on. */
  close(): void;
}

async function startLoser(lose: (socket: Socket) => void): Promise<Loser> {
  const accepted: boolean[] = [];
  let isOver = true;
  // `unref`, so that it ends with a test that fails.
  const listener = createServer((socket) => {
    accepted.push(isOver);
    isOver = false;
    setTimeout(() => (isOver = true), 45).unref();
    lose(socket.on("error", () => {}));
  })
    .listen(0, "127.0.0.1")
    .unref();
  await once(listener, "listening");
  return {
    address: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    accepted,
    async reached(count, call) {
      const { isSettled } = start(call);
      while (accepted.length < count && !isSettled()) await pause(5);
    },
    close: () => void listener.close(),
  };
}

/** The code of the cause with which a read is refused. */
async function causeOf(storage: MysqlStorage): Promise<string | undefined> {
  const refusal = await refusalOf(storage.findContact(workspace, { externalId: "a" }));
  assert.equal(refusal.code, "storage_unavailable");
  return (refusal.cause as { code?: string }).code;
}

suite({ name: "a connection that is lost in its handshake", atOnce: 8 }, (test) => {
  for (const [name, rest, lose] of [
    ["before the greeting", "/w", (socket) => socket.end()],
    ["before the greeting, and another host refuses", ",127.0.0.1:1/w", (socket) => socket.end()],
    ["before the greeting by a reset", "/w", (socket) => socket.resetAndDestroy()],
    ["after the greeting", "/w", (socket) => socket.end(greeting())],
    ["before the answer to the log-in", "/w", (socket) => socket.once("data", () => socket.end()).write(greeting())],
    ["in TLS", "/w?ssl={}", (socket) => socket.once("data", () => socket.end()).write(greeting())],
    [
      "in TLS by a reset",
      "/w?ssl={}",
      (socket) => socket.once("data", () => socket.resetAndDestroy()).write(greeting()),
    ],
  ] satisfies [string, string, (socket: Socket) => void][]) {
    test(`is tried again after 50 ms or more, until one is refused, if it is lost ${name}`, async () => {
      const loser = await startLoser(lose);
      const storage = mysqlStorage(`mysql://u:p@${loser.address}${rest}`);
      const cause = causeOf(storage);
      await loser.reached(4, cause);
      loser.close();
      assert.equal(await cause, "ECONNREFUSED");
      const { accepted } = loser;
      assert.ok(accepted.length >= 4);
      assert.ok(accepted.every(Boolean));
      await storage.close();
    });
  }

  test("is tried again by one call at a time", async () => {
    const open = new Set<Socket>();
    const openAtOnce: number[] = [];
    const loser = await startLoser((socket) => {
      openAtOnce.push(open.add(socket).size);
      const loseAll = (): void => {
        for (const other of open) other.destroy();
        open.clear();
      };
      if (openAtOnce.length === 10) loseAll();
      if (openAtOnce.length > 10) setTimeout(loseAll, 30);
    });
    const storage = mysqlStorage(`mysql://u:p@${loser.address}/w`);
    const causes = atOnce(10, () => causeOf(storage));
    await loser.reached(14, causes);
    loser.close();
    assert.deepEqual([...new Set(await causes)], ["ECONNREFUSED"]);
    assert.deepEqual(openAtOnce.slice(9), [10, ...Array.from({ length: openAtOnce.length - 10 }, () => 1)]);
    await storage.close();
  });

  test("is tried again for 5 s, and then by the next call", async () => {
    const loser = await startLoser((socket) => socket.end());
    const storage = mysqlStorage(`mysql://u:p@${loser.address}/w`);
    assert.deepEqual(await atOnce(2, () => causeOf(storage)), ["no_connection", "no_connection"]);
    await pause(100);
    const { length } = loser.accepted;
    // Longer than the longest pause.
    await pause(700);
    assert.equal(loser.accepted.length, length);
    const next = causeOf(storage);
    await loser.reached(length + 2, next);
    loser.close();
    assert.equal(await next, "ECONNREFUSED");
    await storage.close();
  });
});

databaseSuite("a proxy that switches", server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  for (const kind of ["a pool made here", "a given pool"]) {
    test(`fails no call on ${kind}, although it accepts and loses connections meanwhile`, async ({ proxy, url }) => {
      const given = kind === "a given pool" ? mysql.createPool(proxy.url) : null;
      const storage = mysqlStorage(given ?? proxy.url);
      const loser = await startLoser((socket) => socket.end());
      try {
        await upsert(storage);
        await proxy.fall();
        proxy.lead(`mysql://${loser.address}`);
        await proxy.rise();
        const calls = Promise.all([
          atOnce(12, (n) => update(storage, { fields: { name: `${n}` } })),
          atOnce(12, () => record(storage)),
          atOnce(12, () => storage.findContact(workspace, { externalId: "ada@example.com" })),
        ]);
        await loser.reached(14, calls);
        proxy.lead(url);
        await calls;
      } finally {
        loser.close();
        await storage.close();
        await given?.end();
      }
    });
  }

  test("is asked once with a wrong password", async ({ proxy }) => {
    const wrong = new URL(proxy.url);
    wrong.password = "wrong";
    const storage = mysqlStorage(wrong.href);
    await assert.rejects(storage.findContact(workspace, { externalId: "a" }));
    assert.equal(proxy.seen.connections, 1);
    await storage.close();
  });
});
