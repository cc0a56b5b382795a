import type { Connection } from "mysql2";
import type { Connection as PromiseConnection } from "mysql2/promise";
import { UnusableDatabase } from "./errors.ts";
import { execute } from "./execute.ts";
import { text, probe, type Row } from "../sql/index.ts";

/** A connection of either kind of mysql2. */
export type MysqlConnection = Connection | PromiseConnection;

/** The connection of mysql2 itself, also from one of mysql2/promise. Throws a `TypeError` for anything else. */
export function coreConnection(given: object): Connection {
  const core = "connection" in given ? given.connection : given;
  if (typeof core === "object" && core !== null && "execute" in core && !("getConnection" in core)) {
    return core as Connection;
  }
  throw new TypeError("This takes a connection of mysql2.");
}

/** The connections that passed the check; the value tells whether autocommit was checked too. */
const usable = new WeakMap<Connection, boolean>();
const sample = "\u{1F600}";

/**
 * Checks each connection once. Throws an `Error` of one line if the connection changes text, or has session settings that
 * our statements cannot work with. Autocommit matters only if our statements commit by themselves, not in a caller's
 * transaction.
 */
export async function assertUsable(connection: Connection, { autocommit }: { autocommit: boolean }): Promise<void> {
  const known = usable.get(connection);
  if (known || (known === false && !autocommit)) return;
  const rows = (await execute(connection, probe(sample))) as Row[];
  // A SELECT without a table answers one row.
  const { sent, received, autocommit: isOn, needed: settings } = rows[0]!;
  if (text(sent) !== sample || received !== sample) {
    throw new UnusableDatabase("whodid needs connections whose charset is utf8mb4; this pool's is another.");
  }
  if (autocommit && Number(isOn) !== 1) {
    throw new UnusableDatabase("whodid needs a pool whose connections have autocommit on; this one's have it off.");
  }
  const needed = text(settings);
  if (needed !== "") throw new UnusableDatabase(`whodid needs connections with ${needed}; this one is set otherwise.`);
  usable.set(connection, autocommit);
}
