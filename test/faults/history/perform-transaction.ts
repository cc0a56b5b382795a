import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Pool, PoolConnection } from "mysql2/promise";
import type { InTransaction, Workspace } from "../../../lib/index.ts";
import { refusals, type Call } from "./calls.ts";
import { codeOf, type Note } from "./log.ts";
import { performMany } from "./perform-many.ts";
import { performStep } from "./perform-step.ts";

/** The test's own table. A row says that the transaction with its id was committed. */
export const createOwnTable = "CREATE TABLE own_rows (id VARCHAR(40) PRIMARY KEY) ENGINE=InnoDB";

interface Application {
  tracker: Workspace<Connection>;
  /** The application's own connections. */
  pool: Pool;
}

/** A transaction that was given up as planned. */
class GivenUp extends Error {
  readonly code = "given_up";
}

/** A COMMIT that was not answered. */
class CommitUnknown extends Error {
  readonly code = "commit_unknown";
}

/** A caller's transaction that failed before its COMMIT was sent: the server rolls it back. */
class RolledBack extends Error {
  readonly code = "rolled_back";
}

/** Runs the call's steps in a transaction that the storage begins and ends. */
export async function runInTransaction({ tracker }: Application, id: string, call: Call, note: Note): Promise<void> {
  await tracker.transaction(async (inside, connection) => {
    await runSteps(inside, connection, id, call, note, () => call.goesOn === true);
    if (call.givesUp) throw new GivenUp("as planned");
  });
}

/** Runs the call's steps in a transaction of the caller's own. */
export async function runInCallersTransaction(
  { tracker, pool }: Application,
  id: string,
  call: Call,
  note: Note,
): Promise<void> {
  const connection = await pool.getConnection().catch((error: unknown) => {
    throw new RolledBack(String(error));
  });
  let isReusable = false;
  try {
    await beginAndRun(tracker, connection, id, call, note);
    await sleep(call.pauseMs);
    if (call.givesUp) await connection.rollback();
    else await commit(connection);
    isReusable = true;
  } catch (error) {
    throw error instanceof CommitUnknown ? error : new RolledBack(String(error));
  } finally {
    // The server rolls back what a connection leaves open.
    if (isReusable) connection.release();
    else connection.destroy();
  }
  if (call.givesUp) throw new GivenUp("as planned");
}

async function beginAndRun(
  tracker: Workspace<Connection>,
  connection: PoolConnection,
  id: string,
  call: Call,
  note: Note,
): Promise<void> {
  // On MySQL an INSERT that meets another transaction's row waits as long as this says.
  await connection.query("SET SESSION innodb_lock_wait_timeout = 5");
  await connection.query(`SET TRANSACTION ISOLATION LEVEL ${call.isolation}`);
  await connection.beginTransaction();
  await runSteps(tracker.within(connection), connection, id, call, note, () => false);
}

async function commit(connection: Connection): Promise<void> {
  try {
    await connection.query("COMMIT");
  } catch (error) {
    // A node of Galera refuses a COMMIT with this if another node's was first.
    if ((error as { errno?: number }).errno === 1213) throw error;
    throw new CommitUnknown(String(error));
  }
}

/** What a step is refused with changes nothing, and the transaction goes on. */
async function runSteps(
  inside: InTransaction,
  connection: Connection,
  id: string,
  call: Call,
  note: Note,
  goesOn: () => boolean,
): Promise<void> {
  const { steps, own, isArray, completes } = call;
  const insertOwnRow = async (step: number): Promise<void> => {
    if (own!.at === step || (isArray && step > 0))
      await connection.execute("INSERT INTO own_rows VALUES (?)", [own!.id]);
  };
  const complete = async (): Promise<void> => {
    if (completes === undefined) return;
    await inside.checklists.complete(completes, "places", "by_hand").catch((error: unknown) => {
      if (!refusals.includes(codeOf(error).no) && !goesOn()) throw error;
    });
  };
  if (isArray) {
    await performMany(inside, id, call, note).catch((error: unknown) => {
      if (!goesOn()) throw error;
    });
    await complete();
    return insertOwnRow(steps.length);
  }
  for (const [step, planned] of steps.entries()) {
    await insertOwnRow(step);
    try {
      note({ id, step, ok: await performStep(inside, planned) });
    } catch (error) {
      const told = codeOf(error);
      note({ id, step, ...told });
      if (!refusals.includes(told.no) && !goesOn()) throw error;
    }
  }
  await complete();
  await insertOwnRow(steps.length);
}
