/**
 * Breaks something under load and checks what is left: `npm run long -- faults`, or those faults whose names contain an
 * argument: `npm run long -- faults kill`. `npm run long -- faults history [MINUTES] [mysql] [seed=NUMBER]` runs the one that
 * calls every method. `npm run long -- faults consumers [CHANGES]` and `webhooks [CHANGES]` write so many changes. Exits 1 unless some ran and all of them passed.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startMysql } from "../cluster/mysql.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { cannotMount, withoutSync } from "../support/disk.ts";
import { leaveOut, suite } from "../support/suite.ts";
import { killConsumers, type Extent } from "./consumers/index.ts";
import { fillDisk } from "./full-disk.ts";
import { holdContact } from "./held-contact.ts";
import { checkHistory, readOptions } from "./history/index.ts";
import { killDatabase } from "./kill-database.ts";
import { killServers } from "./kill-server.ts";
import { countOf, type Ledger } from "./ledger.ts";
import { trackThroughHarm } from "./through-client.ts";
import { underLoad } from "./under-load.ts";
import { killDeliveries } from "./webhooks/index.ts";

/** So many that, were they to wait with a connection in hand, no server would have one left for others. */
const contestedLoops = 20;

const wanted = process.argv.slice(2);
/** What follows `history` is its own. Among the other faults it takes a minute. */
const [first, ...others] = wanted;
const history = first === "history" ? readOptions(others, 2) : readOptions([], 1);

/** A short run by default. A long one breaks more. */
const changes = first === "consumers" ? Number(others[0] ?? 3_000) : 3_000;
const consumers: Extent =
  changes > 3_000 ? { changes, killsOfEach: 10, killsOfDatabase: 3 } : { changes, killsOfEach: 2, killsOfDatabase: 1 };

const messages =
  first === "webhooks" ? { changes: Number(others[0] ?? 2_000), kills: 10 } : { changes: 2_000, kills: 2 };

const faults: Record<string, (database: Database) => Promise<Pick<Ledger, "statuses">>> = {
  "kill-server": (database) => underLoad(database, killServers),
  async "kill-database"(database) {
    const ledger = await underLoad(database, killDatabase);
    assert.ok(countOf(ledger, "events 503") > 0);
    return ledger;
  },
  async "held-contact"(database) {
    const ledger = await underLoad(database, holdContact, { contestedLoops });
    assert.ok(countOf(ledger, "contested events 503") > 0);
    return ledger;
  },
  client: trackThroughHarm,
  history: async (database) => ({
    statuses: await checkHistory("long -- faults", history, async () => ({
      urls: [await database.createDatabase()],
      database,
    })),
  }),
  async consumers(database) {
    const kill = async (): Promise<void> => {
      await database.kill9();
      await sleep(1_000);
      await database.restart();
    };
    return killConsumers({ urls: [await database.createDatabase()], kill, settle: async () => {} }, consumers);
  },
  webhooks: async (database) => ({ statuses: await killDeliveries(await database.createDatabase(), messages) }),
  "full-disk": (database) => underLoad(database, fillDisk, { paddings: 8 }),
};

/**
 * The server that a fault runs on; `null` where there can be none, which is said loudly. It does not wait for a disk: while others
 * write there, a COMMIT can take longer than a call may, and is answered 503 without any fault.
 */
async function databaseFor(fault: string): Promise<Database | null> {
  if (fault === "history" && history.isMysql) {
    const mysql = await startMysql(withoutSync);
    if (!("unavailable" in mysql)) return mysql;
    console.log(`MYSQL 9.7 NOT TESTED: ${mysql.unavailable}`);
    return null;
  }
  const options = { serverArguments: withoutSync, ...(fault === "full-disk" && { diskMegabytes: 160 }) };
  const started = await startDatabase(options).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.startsWith(cannotMount))) throw error;
    console.log(`FULL DISK NOT TESTED: ${error.message}`);
    return null;
  });
  return started === null || "unavailable" in started ? null : started;
}

const databases = new Map<string, Database>();
for (const name of Object.keys(faults)) {
  if (first === "history" ? name !== first : wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const database = await databaseFor(name);
  if (database) databases.set(name, database);
}

if (databases.size === 0) leaveOut();
else {
  suite("faults", (test) => {
    for (const [name, database] of databases) {
      test(name, async () => {
        const began = performance.now();
        const { statuses } = await faults[name]!(database);
        const seconds = ((performance.now() - began) / 1_000).toFixed(1);
        console.log(`${name}: ${seconds} s, ${JSON.stringify(statuses)}`);
      });
    }
  });
}
