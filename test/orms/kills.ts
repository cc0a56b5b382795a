import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTracker } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { openMysql } from "../support/mysql.ts";
import { assertPaired } from "./paired.ts";

/** How often each app is killed; `KILLS=200` for a long run. */
export const kills: number = Number(process.env["KILLS"] ?? 5);
const idsOfOne = 1_000_000;

/** Kills the app between an insert and the commit, again and again: an order exists exactly if its event does. */
export async function killAgainAndAgain(name: string, database: Database): Promise<void> {
  const { url, pool, storage, dispose } = await openMysql(database);
  try {
    await pool.query("CREATE TABLE orders (id INT PRIMARY KEY) ENGINE=InnoDB");
    await createTracker({ storage }).contacts.upsert({ email: "ada@example.com" });
    for (let kill = 0; kill < kills; kill++) {
      const app = fork(join(import.meta.dirname, "kill-app.js"), [url, name, String(kill * idsOfOne)]);
      // The first insert pays for connections; a later one is met in the middle of what follows it.
      for (let inserts = 0; inserts < 1 + (kill % 3); inserts++) await once(app, "message");
      await sleep(Math.random() * 12);
      app.kill("SIGKILL");
      await once(app, "exit");
    }
    // Locks of what the server has not rolled back yet are waited for.
    await pool.query("SELECT id FROM orders FOR UPDATE");
    const orders = await assertPaired(pool);
    console.log(
      `${name} killed ${kills} times: ${orders.length} orders, each with its event, and no event without one`,
    );
  } finally {
    await dispose();
  }
}
