import { checkHistory, readOptions } from "../faults/history/index.ts";
import type { Galera } from "./galera.ts";

/**
 * The calls of the fault run `history` through three nodes: one minute, or as the arguments behind `history` say. No node is killed:
 * the copy for a node that joins under this load takes more memory than a small machine has.
 */
export async function callEverything(galera: Galera): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const options = readOptions(first === "history" ? others : [], 1);
  const counts = await checkHistory("long -- cluster", options, async () => {
    const urls = galera.urlsOf(await galera.database.createDatabase());
    await galera.onEach("SET GLOBAL wsrep_sync_wait = 0");
    const settle = (): Promise<void> => galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
    return { urls, database: null, settle };
  });
  console.log(`a history of calls through three nodes: ${JSON.stringify(counts)}`);
}
