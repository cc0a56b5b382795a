import type { Connection } from "mysql2";
import type { Connection as PromiseConnection } from "mysql2/promise";

/** A connection of either kind of mysql2. */
export type MysqlConnection = Connection | PromiseConnection;

const methods = ["execute", "query", "beginTransaction"];

/**
 * Returns the connection of mysql2, also for a wrapper of mysql2/promise; `null` for any other value. The `connection` of some
 * ORMs' transactions is not one of mysql2.
 */
export function mysql2Connection(given: unknown): Connection | null {
  const { connection = given } = Object(given) as { connection?: unknown };
  const members = Object(connection) as Record<string, unknown>;
  const isConnection = [given, connection].every(hasMethods) && "config" in members;
  return isConnection && !("getConnection" in members) ? (connection as Connection) : null;
}

function hasMethods(given: unknown): boolean {
  const members = Object(given) as Record<string, unknown>;
  return methods.every((name) => typeof members[name] === "function");
}
