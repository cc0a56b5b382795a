import type { Connection } from "mysql2";
import { UnusableDatabase } from "./errors.ts";
import { command, execute, isGalera, noteCompound, noteGalera, sendText } from "./execute.ts";
import type { CheckedExecutor } from "./executor.ts";
import { control, findEngine, findGalera, probe, sessionState, text, textInside, type Row } from "../sql/index.ts";

/** The connections that passed the check of their pool. */
const usable = new WeakSet<object>();
/** The connections and executors that passed the check of a caller's transaction. */
const usableInside = new WeakSet<object>();
const sample = "\u{1F600}";

/**
 * Checks each connection of a pool once. Throws an `UnusableDatabase` with one sentence if the engine is neither MySQL nor MariaDB,
 * if the connection changes text, or if our statements cannot work with its session settings.
 */
export async function assertUsable(connection: Connection): Promise<void> {
  if (usable.has(connection)) return;
  const answer = execute(connection, probe(sample)).catch(explained(() => sendText(connection, findEngine)));
  const [row] = (await answer) as [Row];
  assertSettings(row);
  if (Number(row.autocommit) !== 1) {
    throw new UnusableDatabase("whodid needs a pool whose connections have autocommit on; this one's have it off.");
  }
  noteMember(connection, await sendText(connection, findGalera));
  if (Number(row.takes_compound) === 1 && !isGalera(connection)) noteCompound(connection);
  usable.add(connection);
}

/** The state of each connection of a pool that was passed in, before the first caller's function used it. */
const states = new WeakMap<Connection, string>();

/** Reads the state of a connection once, before a caller's function uses it. */
export async function noteState(connection: Connection): Promise<void> {
  if (!states.has(connection)) states.set(connection, await readState(connection));
}

/** Whether a caller's function has changed the connection's state. Releases its table locks, which the state does not include. */
export async function hasChanged(connection: Connection): Promise<boolean> {
  await command(connection, control.unlockTables);
  return (await readState(connection)) !== states.get(connection);
}

/** Returns a text, because the options of a pool that was passed in may cast or nest rows. */
async function readState(connection: Connection): Promise<string> {
  return JSON.stringify(await sendText(connection, sessionState));
}

/**
 * Checks the connection of a caller's transaction like `assertUsable`. Accepts any autocommit, which has no effect inside a
 * transaction. Also checks that the caller's ORM does not change statements or rows.
 */
export async function assertUsableInside(executor: CheckedExecutor): Promise<void> {
  if (usable.has(executor.sendsBy) || usableInside.has(executor.sendsBy)) return;
  const query = probe(sample);
  const answer = executor.execute(textInside(query), query.values);
  const row = firstRow(await answer.catch(explained(() => executor.execute(findEngine, []))));
  assertSettings(row);
  if (executor.mayEscape && Number(row.no_backslash_escapes) !== 0) {
    throw new UnusableDatabase(
      "whodid needs a sql_mode without NO_BACKSLASH_ESCAPES: an ORM may escape values in a way that is an injection with it.",
    );
  }
  noteMember(executor.sendsBy, await executor.execute(findGalera, []));
  usableInside.add(executor.sendsBy);
}

/** Notes that the server is a member of a Galera cluster if `members`, the result of `findGalera`, has a row. */
function noteMember(sendsBy: object, members: unknown): void {
  if ((members as readonly Row[]).length > 0) noteGalera(sendsBy);
}

function firstRow(rows: unknown): Row {
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  if (typeof row !== "object" || row === null) {
    throw new UnusableDatabase(
      "whodid needs an `execute` that resolves with the rows of a query, as an array of objects.",
    );
  }
  if (Array.isArray(row)) {
    throw new UnusableDatabase("whodid needs rows as objects: this connection has `rowsAsArray` on.");
  }
  if (!("no_backslash_escapes" in row)) {
    throw new UnusableDatabase(
      "whodid needs columns under their own names: use an instance without what renames or nests them (CamelCasePlugin, postProcessResponse, nestTables).",
    );
  }
  if (!("sent" in row && row.sent instanceof Uint8Array)) {
    throw new UnusableDatabase(
      "whodid needs bytes as they are: use an instance whose `typeCast` leaves binary columns alone.",
    );
  }
  return row as Row;
}

/** Throws the error of a probe, unless another engine is the reason. `ask` asks for the engine alone. */
function explained(ask: () => Promise<unknown>): (error: unknown) => Promise<never> {
  return async (error) => {
    const answer = await ask().catch(() => null);
    if (Array.isArray(answer)) assertEngine(Object(answer[0]) as Row);
    throw error;
  };
}

/** Refuses other engines that speak MySQL's protocol. `VERSION()` does not name them, because operators can set it. */
function assertEngine({ is_tidb, version_comment }: Row): void {
  const refuse = (reason: string): never => {
    throw new UnusableDatabase(`whodid needs MySQL or MariaDB: ${reason}.`);
  };
  if (Number(is_tidb) === 1) refuse("TiDB takes FOR UPDATE SKIP LOCKED and locks nothing");
  if (/^Version: .*\(Git revision/.test(String(version_comment)))
    refuse("Vitess applies SET TRANSACTION to the whole session, and unique keys only within a shard");
}

function assertSettings(row: Row): void {
  assertEngine(row);
  if (text(row.sent) !== sample || row.received !== sample) {
    throw new UnusableDatabase("whodid needs connections whose charset is utf8mb4; this pool's is another.");
  }
  const needed = text(row.needed);
  if (needed !== "") throw new UnusableDatabase(`whodid needs connections with ${needed}; this one is set otherwise.`);
}
