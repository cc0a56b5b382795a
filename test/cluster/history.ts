import { checkHistory, readOptions } from "../faults/history/index.ts";
import type { Galera } from "./galera.ts";

const killed = 2;

/**
 * The calls of the fault run `history` through three nodes: one minute, or as the arguments behind `history` say. In the
 * middle one node is killed. It joins again when the calls have ended: under load its copy takes more memory than a small machine has.
 */
export async function callEverything(galera: Galera): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  const options = readOptions(first === "history" ? others : [], 1);
  const counts = await checkHistory("long -- cluster", options, async () => {
    const urls = galera.urlsOf(await galera.database.createDatabase());
    await galera.onEach("SET GLOBAL wsrep_sync_wait = 0");
    const settle = async (): Promise<void> => {
      await galera.rejoin(killed);
      await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
    };
    return { urls, database: null, killNode: () => galera.kill9(killed), settle };
  });
  console.log(`a history of calls through three nodes: ${JSON.stringify(counts)}`);
}
