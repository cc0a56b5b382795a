import type { Connection } from "mysql2";
import type { Host } from "./hosts.ts";

/**
 * Counts failovers. A connection is of the generation in which it was asked for. A generation leads to one host: a read on
 * another could miss what this process has just written.
 */
export interface Generations {
  current(): number;
  /** How often to ask for a connection of a pool whose host may not answer. */
  triesMax: number;
  /** The one of several hosts that new connections lead to; `null` if the pool has its own. */
  host(): Host | null;
  /** The one of several hosts that the connection leads to; `null` if the pool has its own. */
  hostOf(connection: Connection): Host | null;
  /** Only the first generation of a connection counts. */
  add(connection: Connection, generation: number): void;
  isOutdated(connection: Connection): boolean;
  /** Begins the next generation, unless the connection is of an earlier one already. */
  outdate(connection: Connection): void;
  /** Begins the next generation if the host of this one is one of several and does not answer. */
  pass(generation: number): void;
}

/** With several hosts, each generation leads to the next of them; after the last comes the first. */
export function createGenerations(hosts: readonly Host[]): Generations {
  const generations = new WeakMap<Connection, number>();
  let current = 0;
  return {
    current: () => current,
    triesMax: Math.max(1, hosts.length),
    host: () => hosts[current % hosts.length] ?? null,
    hostOf: (connection) => hosts[(generations.get(connection) ?? current) % hosts.length] ?? null,
    add(connection, generation) {
      if (!generations.has(connection)) generations.set(connection, generation);
    },
    isOutdated: (connection) => (generations.get(connection) ?? current) < current,
    outdate(connection) {
      if (generations.get(connection) === current) current++;
    },
    pass(generation) {
      if (hosts.length > 0 && generation === current) current++;
    },
  };
}
