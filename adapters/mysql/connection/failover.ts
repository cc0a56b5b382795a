import type { Connection } from "mysql2";
import type { Host } from "./hosts.ts";

/**
 * Counts failovers. A connection belongs to the generation in which it was requested. All connections of a generation lead to
 * one host, because a read on another host could miss the last writes of this process.
 */
export interface Generations {
  current(): number;
  /** The number of tries to get a connection, because a host may not answer. */
  triesMax: number;
  /** The host of new connections; `null` if the URL does not have several hosts. */
  host(): Host | null;
  /** The host of the connection; `null` if the URL does not have several hosts. */
  hostOf(connection: Connection): Host | null;
  /** Notes the generation of a new connection. Does nothing if its generation is known. */
  add(connection: Connection, generation: number): void;
  isOutdated(connection: Connection): boolean;
  /** Begins the next generation if the connection belongs to the current one. */
  outdate(connection: Connection): void;
  /** Begins the next generation if `generation` is the current one and the URL has several hosts. */
  pass(generation: number): void;
}

/** Each generation uses the next of several hosts. The first follows the last. */
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
