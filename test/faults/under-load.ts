import assert from "node:assert/strict";
import { generateApiKey } from "../../lib/api-keys.ts";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import { assertAnswers, assertTables } from "./checks.ts";
import type { Ledger } from "./ledger.ts";
import { startLoad, type Load } from "./load.ts";
import { startPruning, type Pruning } from "./pruning.ts";

/** What a fault happens to. */
export interface Stage {
  database: Database;
  /** Of the schema that the servers use. */
  url: string;
  servers: ServerProcess[];
  /** Kills the server of this index with SIGKILL. */
  killServer(index: number): Promise<void>;
  /** Starts it again on its port. */
  restartServer(index: number): Promise<void>;
  load: Load;
}

export interface StageOptions {
  /** Where the server of this index reaches the schema of that URL, when not there. */
  urlOf?: (url: string, index: number) => string;
  /** As in `Target`: none by default. */
  paddings?: number;
  /** As in `Target`: one by default. */
  contestedLoops?: number;
}

const serverCount = 3;

/**
 * Runs the fault while clients send to several servers on a schema of their own. Then each server must acknowledge requests
 * again, all that was sent must be acknowledged, the servers must stop in order, and what they stored is checked. Resolves
 * with what the clients saw.
 */
export async function underLoad(
  database: Database,
  fault: (stage: Stage) => Promise<void>,
  { urlOf = (url) => url, paddings = 0, contestedLoops = 1 }: StageOptions = {},
): Promise<Ledger> {
  const url = await database.createDatabase();
  const apiKey = generateApiKey();
  // Far above the load: the limiter counts, and lets all through.
  const environmentOf = (index: number): Record<string, string> => ({
    DATABASE_URL: urlOf(url, index),
    API_KEY: apiKey,
    RATE_LIMIT: "1000000000",
  });
  const servers: ServerProcess[] = [];
  let load: Load | undefined;
  let pruning: Pruning | undefined;
  const killAll = (): void => {
    load?.kill();
    for (const { child } of servers) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  try {
    const ports: number[] = [];
    while (ports.length < serverCount) {
      const port = await freePort();
      servers.push(await startServer({ ...environmentOf(ports.length), PORT: String(port) }));
      ports.push(port);
    }
    load = await startLoad({ ports, apiKey, paddings, contestedLoops });
    pruning = await startPruning(url);
    await load.flow();
    await fault({
      database,
      url,
      servers,
      load,
      async killServer(index) {
        await servers[index]!.stop("SIGKILL");
      },
      async restartServer(index) {
        servers[index] = await startServer({ ...environmentOf(index), PORT: String(ports[index]) });
      },
    });
    await load.flow();
    const ledger = await load.end();
    await pruning.end();
    await assertStopInOrder(servers);
    assertAnswers(ledger);
    await assertTables(url, ledger);
    return ledger;
  } finally {
    process.off("exit", killAll);
    killAll();
    // It would go on, and keep the run from ending after a test that failed.
    await pruning?.giveUp();
  }
}

/** None has ended by itself, met an error that it did not expect, or hangs. */
async function assertStopInOrder(servers: readonly ServerProcess[]): Promise<void> {
  for (const { child, output } of servers) assert.equal(child.exitCode ?? child.signalCode, null, output.stderr);
  const ended = await Promise.all(servers.map((server) => server.stop()));
  assert.deepEqual(
    ended.map(({ exitCode }) => exitCode),
    servers.map(() => 0),
  );
  const errors = ended.flatMap(({ stderr }) => stderr.split("\n").filter((line) => line.includes('"event":"error"')));
  assert.deepEqual(errors.slice(0, 3), []);
}
