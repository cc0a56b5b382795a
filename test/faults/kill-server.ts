import type { Stage } from "./under-load.ts";

/** Kills one server after the other in the middle of their work, and starts each again. */
export async function killServers({ servers, load, killServer, restartServer }: Stage): Promise<void> {
  for (const index of servers.keys()) {
    await killServer(index);
    await restartServer(index);
    await load.flow();
  }
}
