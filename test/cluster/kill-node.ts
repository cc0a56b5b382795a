import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertTables } from "../faults/checks.ts";
import { countOf, type Ledger } from "../faults/ledger.ts";
import { underLoad } from "../faults/under-load.ts";
import type { Galera } from "./galera.ts";

/**
 * Kills a node under the load of the fault runs, of which each node has a server, lets the others go on, and has it join again.
 * Then every node must hold what the clients know.
 */
export async function killNode(galera: Galera): Promise<Ledger> {
  // A contact that was posted by one node is then known by the others at once.
  await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
  let urls: string[] = [];
  const ledger = await underLoad(
    galera.database,
    async ({ url, load }) => {
      urls = galera.urlsOf(url);
      await galera.kill9(1);
      await sleep(4_000);
      await galera.rejoin(1);
      await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
      await load.flow();
    },
    { urlOf: (url, index) => galera.urlsOf(url)[index]! },
  );
  assert.ok(countOf(ledger, "events 503") > 0);
  for (const url of urls) await assertTables(url, ledger);
  await galera.onEach("SET GLOBAL wsrep_sync_wait = 0");
  return ledger;
}
