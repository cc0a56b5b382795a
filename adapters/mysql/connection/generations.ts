import type { Connection } from "mysql2";

/** Counts failovers: a connection is of the generation in which it was prepared. */
export interface Generations {
  add(connection: Connection): void;
  isOutdated(connection: Connection): boolean;
  /** Begins the next generation, unless the connection is of an earlier one already. */
  outdate(connection: Connection): void;
}

export function createGenerations(): Generations {
  const generations = new WeakMap<Connection, number>();
  let current = 0;
  return {
    add: (connection) => void generations.set(connection, current),
    isOutdated: (connection) => (generations.get(connection) ?? current) < current,
    outdate(connection) {
      if (generations.get(connection) === current) current++;
    },
  };
}
