import { killConsumers } from "../faults/consumers/index.ts";
import type { Galera } from "./galera.ts";

const killed = 2;

/**
 * The fault run `consumers` with a writer and a consumer on each node. One node is killed, and joins again when the writers have
 * ended.
 */
export async function handleThroughNodes(galera: Galera): Promise<void> {
  const urls = galera.urlsOf(await galera.database.createDatabase());
  const settle = async (): Promise<void> => {
    await galera.rejoin(killed);
    await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
  };
  const { statuses } = await killConsumers(
    { urls, kill: () => galera.kill9(killed), settle },
    { changes: 3_000, killsOfEach: 2, killsOfDatabase: 1 },
  );
  console.log(`consumers on three nodes: ${JSON.stringify(statuses)}`);
}
