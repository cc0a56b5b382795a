import { setTimeout as sleep } from "node:timers/promises";
import { checkHistory, readOptions } from "../faults/history/index.ts";
import type { Galera } from "./galera.ts";

/**
 * The calls of the fault run `history` through three nodes, of which one is killed and joins again in each round: one minute, or as
 * the arguments behind `history` say.
 */
export async function callEverything(galera: Galera): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const options = readOptions(first === "history" ? others : [], 1);
  const counts = await checkHistory("test:cluster", options, async () => {
    const urls = galera.urlsOf(await galera.database.createDatabase());
    const midway = async (): Promise<void> => {
      await galera.kill9(1);
      await sleep(4_000);
      await galera.rejoin(1);
    };
    await galera.onEach("SET GLOBAL wsrep_sync_wait = 0");
    const settle = (): Promise<void> => galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
    return { urls, database: null, midway, settle };
  });
  console.log(`a history of calls through three nodes: ${JSON.stringify(counts)}`);
}
