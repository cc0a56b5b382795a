import type { Connection } from "mysql2";
import { silentCallMs } from "../limits.ts";
import type { Generations } from "./failover.ts";
import type { Host } from "./hosts.ts";
import type { Opener } from "./mysql2-pool.ts";
import type { Sockets } from "./sockets.ts";

/** Runs work on the connection. Meanwhile its host is passed if it falls silent, so that the work fails and is tried again. */
export type Watch = <Result>(connection: Connection, work: () => Promise<Result>) => Promise<Result>;

/**
 * A frozen host keeps its connections open and answers nothing, as a slow statement does. A new connection tells them apart:
 * a frozen host does not greet it.
 */
export function createWatch(generations: Generations, sockets: Sockets, opener: Opener): Watch {
  const probes = new Map<Host, Promise<boolean>>();

  async function check(connection: Connection, host: Host): Promise<void> {
    const probe = probes.get(host) ?? opener.greets(host).finally(() => probes.delete(host));
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
