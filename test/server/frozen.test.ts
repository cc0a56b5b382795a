import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import type { Database } from "../support/database.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { testsOn } from "../support/suite.ts";
import { startProxy, type Proxy } from "../support/proxy.ts";
import { runCommand, withServer, type ServerProcess } from "../support/server-process.ts";

const contact = '{"email":"ada@example.com"}';

/** Runs with a server that reaches its database by a proxy, and has written to it. */
async function onProxy(
  { createDatabase }: Database,
  run: (server: ServerProcess, proxy: Proxy) => Promise<void>,
): Promise<void> {
  const proxy = await startProxy(await createDatabase());
  try {
    await withServer(
      async (server) => {
        assert.equal((await server.ask({ body: contact })).status, 201);
        await run(server, proxy);
      },
      { DATABASE_URL: proxy.url, API_KEY: generateApiKey() },
    );
  } finally {
    await proxy.close();
  }
}

/** Waits for the end that a signal has. Kills the server after 20 s: docker does after 10, and a busy machine gets twice that. */
async function assertEnds({ child, stop }: ServerProcess, exitCode: number, last: RegExp): Promise<void> {
  const kill = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const ended = await stop();
  clearTimeout(kill);
  assert.equal(ended.exitCode, exitCode);
  assert.match(ended.stderr.trim().split("\n").at(-1)!, last);
}

const started = await database();

databaseSuite({ name: "a database that does not answer", atOnce: 3 }, started, (define, server) => {
  const test = testsOn(define, onProxy);
  test("keeps no stopped server from ending", server, async (serving, proxy) => {
    proxy.freeze();
    await assertEnds(serving, 0, /"event":"stop","signal":"SIGTERM"}$/);
  });

  test("is not waited for beyond the deadline of a stop, which then exits 1", server, async (serving, proxy) => {
    const { commits } = proxy.seen;
    proxy.next.push("freeze");
    const connection = await serving.connect();
    connection.write(serving.toText({ body: '{"email":"bob@example.com"}' }));
    while (proxy.seen.commits === commits) await sleep(10);
    // The COMMIT may have happened, and the server goes on asking whether it did.
    proxy.freeze();
    await assertEnds(serving, 1, /"event":"stop","signal":"SIGTERM","cutShort":true}$/);
    assert.equal(await connection.closed(), "");
  });

  define("keeps no command from ending", async () => {
    const proxy = await startProxy(await server.createDatabase());
    try {
      proxy.freeze();
      const { exitCode, stderr } = await runCommand(["keys", "list"], { DATABASE_URL: proxy.url });
      assert.deepEqual([exitCode, stderr], [1, "whodid: DATABASE_URL: the database cannot be reached: no answer.\n"]);
    } finally {
      await proxy.close();
    }
  });
});

// Alone: the other tests use the same database.
databaseSuite("a database whose process stands still", started, (test, server) => {
  test("keeps no stopped server from ending", async () => {
    if (server.pid === null) return console.log("skipped: the server at MYSQL_URL is not ours to freeze");
    await withServer(
      async (serving) => {
        process.kill(server.pid!, "SIGSTOP");
        try {
          const connection = await serving.connect();
          connection.write(serving.toText({ body: contact }));
          await assertEnds(serving, 0, /"event":"stop","signal":"SIGTERM"}$/);
          assert.equal((await connection.next()).status, 503);
        } finally {
          process.kill(server.pid!, "SIGCONT");
        }
      },
      { DATABASE_URL: await server.createDatabase(), API_KEY: generateApiKey() },
    );
  });
});
