import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { apiKeyRow, workspace } from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker, type Storage, type Tracker } from "../../../../lib/index.ts";
import type { Consumption } from "../../../support/consume-process.ts";
import { database, databaseSuite, mysqlBy } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { proxiedBy } from "../../../support/proxied.ts";

const server = await database();

// 2026-01-31, 09:00:12.345.
const window = { startsAt: 1_769_850_000_000, endsAt: 1_769_850_060_000, now: 1_769_850_012_345 };
/** How many requests had been taken before. */
async function take(storage: Storage, ...call: Parameters<Storage["consume"]>): Promise<number> {
  return (await storage.consume(...call)).takenBefore;
}

const next = { startsAt: 1_769_850_060_000, endsAt: 1_769_850_120_000, now: 1_769_850_060_000 };
const ascending = (a: number, b: number): number => a - b;

/** What processes of their own are answered, all at once, on one key. */
async function consumeInProcesses(
  count: number,
  consumption: Omit<Consumption, "apiKeyId" | "window">,
): Promise<number[]> {
  const answers: number[] = [];
  await mysqlBy(server)(async ({ url, storage }) => {
    const file = join(import.meta.dirname, `../../../support/consume-process${extname(import.meta.filename)}`);
    const row = apiKeyRow();
    await storage.insertApiKey(row);
    const processes = Array.from({ length: count }, () => fork(file, [url]));
    const askAll = async (asked: Consumption): Promise<number[]> => {
      const told = processes.map((process) => once(process, "message") as Promise<[number[]]>);
      for (const process of processes) process.send(asked);
      return (await Promise.all(told)).flatMap(([answer]) => answer);
    };
    const asked = { ...consumption, apiKeyId: row.id };
    try {
      // Connected, in a window of its own.
      await askAll({ ...asked, window: { startsAt: 0, endsAt: 60_000, now: 0 }, calls: 1, rounds: 1 });
      answers.push(...(await askAll({ ...asked, window })));
    } finally {
      for (const process of processes) process.kill();
    }
  });
  return answers;
}

databaseSuite({ name: "rate limits in mysql", atOnce: 2 }, server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  for (const [calls, rounds] of [
    [100, 1],
    [4, 25],
  ] as const) {
    define(
      `of 400 requests of four processes, ${calls} at a time, exactly 100 are let through by a limit of 100`,
      async () => {
        const answers = await consumeInProcesses(4, { limit: 100, calls, rounds });
        assert.deepEqual(answers.sort(ascending), [...Array(100).keys(), ...Array<number>(300).fill(100)]);
      },
    );
  }

  test("processes on both sides of a window's end together let no more through than the limit", async (opened) => {
    const { storage, through } = opened;
    const { id } = apiKeyRow();
    const ahead = { ...next, now: next.startsAt };
    const behind = { ...window, now: window.endsAt - 1 };
    assert.equal(await take(through, id, 5, ahead, 1), 0);
    const uses = await Promise.all(
      Array.from({ length: 10 }, () => [through.consume(id, 5, ahead, 1), storage.consume(id, 5, behind, 1)]).flat(),
    );
    const ofBehind = await storage.consume(id, 5, behind, 1);
    assert.deepEqual(ofBehind, { takenBefore: 5, startsAt: next.startsAt });
    assert.deepEqual(await through.consume(id, 5, ahead, 1), ofBehind);
    assert.equal(uses.filter(({ takenBefore }) => takenBefore < 5).length, 4);
  });

  define(
    "a limit of 10,000 lets no request of two processes through twice, and fewer only by what they hold",
    async () => {
      const answers = await consumeInProcesses(2, { limit: 10_000, calls: 30, rounds: 400 });
      const through = answers.filter((takenBefore) => takenBefore < 10_000);
      assert.equal(new Set(through).size, through.length);
      assert.ok(through.length >= 9_980, `${through.length}`);
    },
  );

  test("200 requests of a key at once are one statement, or one more", async ({ through, proxy }) => {
    const { id } = apiKeyRow();
    await through.consume(id, 1_000, window, 1);
    const { executed } = proxy.seen;
    await Promise.all(Array.from({ length: 200 }, () => through.consume(id, 1_000, window, 1)));
    assert.equal(proxy.seen.executed - executed, 2);
  });

  test("a refused key costs no statement until its window ends", async ({ through, proxy }) => {
    const { id } = apiKeyRow();
    for (let n = 0; n < 4; n++) await through.consume(id, 3, window, 1);
    const { executed } = proxy.seen;
    for (let n = 0; n < 50; n++) {
      assert.equal(await take(through, id, 3, { ...window, now: 1_769_850_059_999 }, 1), 3);
    }
    assert.equal(proxy.seen.executed, executed);
    assert.equal(await take(through, id, 3, next, 1), 0);
  });

  test("of a limit of 100,000 a hundred requests after one another are one statement, and one of 1,000 a hundred", async (opened) => {
    const { through, proxy } = opened;
    for (const [limit, statements] of [
      [100_000, 1],
      [1_000, 100],
    ] as const) {
      const { id } = apiKeyRow();
      await through.listApiKeys(workspace);
      const { executed } = proxy.seen;
      for (let n = 0; n < 100; n++) assert.equal(await take(through, id, limit, window, 1), n);
      assert.equal(proxy.seen.executed - executed, statements);
    }
  });

  test("a use is noted in each minute of a long window, though much of a lease is left", async (opened) => {
    const { through, storage, proxy } = opened;
    const row = apiKeyRow();
    await storage.insertApiKey(row);
    await through.consume(row.id, 1_000_000, window, 1);
    const { executed } = proxy.seen;
    for (const minute of [1, 1, 2, 2]) {
      await through.consume(row.id, 1_000_000, { ...window, now: 1_769_850_000_000 + minute * 60_000 }, 1);
      const [used] = await storage.listApiKeys(workspace);
      assert.equal(used?.lastUsedAt, 1_769_850_000_000 + minute * 60_000);
    }
    assert.equal(proxy.seen.executed - executed, 2);
    // What was noted took nothing.
    assert.equal(await take(storage, row.id, 1_000_000, window, 1), 1_000);
  });

  test("a process without a limit takes nothing out of that of the others, and notes the key's use", async (opened) => {
    const { storage, through } = opened;
    const now = (): Date => new Date(window.now);
    const unlimited = createTracker({ storage: through, rateLimit: false, now });
    const limited = createTracker({ storage, rateLimit: { requests: 2, perSeconds: 60 }, now });
    const { key } = await unlimited.apiKeys.create({ name: "backend" });
    const ask = async ({ handle }: Tracker): Promise<string | null> => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await handle(new Request("http://localhost/api/v1/contacts/ada", { headers }));
      return response.headers.get("x-ratelimit-remaining");
    };
    for (let n = 0; n < 3; n++) assert.equal(await ask(unlimited), null);
    assert.equal((await unlimited.apiKeys.list())[0]?.lastUsedAt, "2026-01-31T09:00:12.345Z");
    assert.deepEqual([await ask(limited), await ask(unlimited), await ask(limited)], ["1", null, "0"]);
  });

  test("a database that fails rejects for all who wait, and the next request works", async ({ through, pool }) => {
    const { id } = apiKeyRow();
    await pool.query("RENAME TABLE whodid_api_key_uses TO elsewhere");
    const calls = Array.from({ length: 20 }, () => through.consume(id, 100, window, 1));
    const settled = await Promise.allSettled(calls);
    assert.deepEqual(new Set(settled.map(({ status }) => status)), new Set(["rejected"]));
    await pool.query("RENAME TABLE elsewhere TO whodid_api_key_uses");
    assert.equal(await take(through, id, 100, window, 1), 0);
  });
});
