import type { Connection } from "mysql2";
import { silentCallMs } from "../limits.ts";
import type { Generations } from "./failover.ts";
import type { Host } from "./hosts.ts";
import type { Sockets } from "./sockets.ts";

/** Runs work on the connection. If its host stops answering, the work fails, and its retry uses the next host. */
export type UnlessSilent = <Result>(connection: Connection, work: () => Promise<Result>) => Promise<Result>;

/**
 * A frozen host keeps its connections open and does not answer, like a slow statement. `isGreeting` tells the two apart: a
 * frozen host does not greet a new connection.
 */
export function createSilence(
  generations: Generations,
  sockets: Sockets,
  isGreeting: (host: Host) => Promise<boolean>,
): UnlessSilent {
  const probes = new Map<Host, Promise<boolean>>();

  async function check(connection: Connection, host: Host): Promise<void> {
    const probe = probes.get(host) ?? isGreeting(host).finally(() => probes.delete(host));
    probes.set(host, probe);
    if (await probe) return;
    generations.outdate(connection);
    sockets.abandon(host);
  }

  return async (connection, work) => {
    const host = generations.hostOf(connection);
    if (!host) return work();
    const timer = setInterval(() => void check(connection, host), silentCallMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  };
}
