import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import type { Database } from "../../support/database.ts";
import type { Proxy } from "../../support/proxy.ts";
import { within } from "../../support/within.ts";
import type { Random } from "./random.ts";
import type { Workers } from "./workers.ts";

/** What a run happens on. */
export interface Stage {
  /** By which each node reaches the schema: one, or several of a cluster. */
  urls: string[];
  /** To be killed and frozen; `null` for one that is not. */
  database: Database | null;
  /** Is called once, in the middle. */
  killNode?: () => Promise<void>;
  /** Is awaited before the rows are read: from then on each node shows what all have committed. */
  settle?: () => Promise<void>;
}

interface Harmed extends Stage {
  workers: Workers;
  proxies: readonly Proxy[];
  random: Random;
}

export type Harm = (harmed: Harmed) => Promise<unknown>;

const ofAll: Record<string, Harm> = {
  "cut a COMMIT": async ({ proxies, random }) => {
    for (const { next } of proxies) next.push(random.pick(["lose commit", "lose answer"]));
  },
  "kill connections": async ({ urls, random }) => endConnections(random.pick(urls), 3),
  "kill a worker": ({ workers, random }) => workers.replace(random.below(workers.count)),
  "freeze a worker": ({ workers, random }) => workers.freeze(random.below(workers.count), 200 + random.below(3_000)),
};

const ofDatabase: Record<string, Harm> = {
  "freeze the database": async ({ database, random }) => {
    const { pid } = database!;
    if (pid === null) return;
    process.kill(pid, "SIGSTOP");
    // Now and then for longer than any call waits.
    await sleep(random.isOneIn(6) ? 11_000 : 200 + random.below(3_000)).finally(() => process.kill(pid, "SIGCONT"));
  },
  "kill the database": async ({ database, random }) => {
    await database!.kill9();
    await sleep(random.below(1_000));
    await database!.restart();
  },
};

const weights: Record<string, number> = {
  "cut a COMMIT": 10,
  "kill connections": 5,
  "kill a worker": 4,
  "freeze a worker": 3,
  "freeze the database": 2,
  "kill the database": 2,
};

/** Does one harm after another until that time. Resolves with how often each was done. */
export async function harm(harmed: Harmed, until: number): Promise<Record<string, number>> {
  const harms = harmed.database === null ? ofAll : { ...ofAll, ...ofDatabase };
  const possible = Object.fromEntries(Object.keys(harms).map((name) => [name, weights[name]!]));
  const done: Record<string, number> = {};
  const middle = (Date.now() + until) / 2;
  let { killNode } = harmed;
  while (Date.now() < until) {
    if (killNode && Date.now() > middle) {
      done["kill a node"] = 1;
      await killNode();
      killNode = undefined;
    }
    const name = harmed.random.weighted(possible);
    done[name] = (done[name] ?? 0) + 1;
    await harms[name]!(harmed);
    await sleep(300 + harmed.random.below(1_200));
  }
  return done;
}

/** Ends some of the connections to the schema. Resolves with how many there were; `null` if the database does not answer. */
export async function endConnections(url: string, atMost: number): Promise<number | null> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000 }).catch(() => null);
  if (connection === null) return null;
  try {
    const list = connection.query<RowDataPacket[]>(
      "SELECT ID AS id FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID() ORDER BY RAND()",
    );
    const [rows] = await within(20_000, "the list of connections", list);
    for (const { id } of rows.slice(0, atMost)) await connection.query(`KILL ${id}`).catch(() => {});
    return rows.length;
  } catch {
    return null;
  } finally {
    connection.destroy();
  }
}
