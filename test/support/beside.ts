/** A caller that ends its transaction while a call runs in it: at every moment of every call. */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RowDataPacket } from "mysql2/promise";
import { createTracker, type InTransaction, type Tracker } from "../../lib/index.ts";
import type { OpenedMysql } from "./mysql.ts";
import { within } from "./within.ts";

/** How often each moment of each call is tried; `RUNS=500` for a long run. */
const rounds = Number(process.env["RUNS"] ?? 1);

/** A transaction of the caller's. */
export interface CallersTransaction {
  /** For `tracker.within`. */
  executor: object;
  run(text: string): PromiseLike<unknown>;
}

/** Begins a transaction, commits it when `run` resolves, and rolls it back when `run` rejects. */
export type Transact = (run: (transaction: CallersTransaction) => Promise<void>) => PromiseLike<unknown>;

type Call = (inside: InTransaction, email: string) => Promise<unknown>;

/** One of each kind, each with several writes. */
export const callsBeside: Record<string, Call> = {
  track: (inside, email) => inside.events.track({ externalId: email, eventKey: "bought" }),
  upsert: (inside, email) => inside.contacts.upsert({ email, name: "Ada", customAttributes: { seats: 2, tier: "a" } }),
  update: (inside, email) => inside.contacts.update(email, { name: "Ada", customAttributes: { seats: 2, tier: "a" } }),
  delete: (inside, email) => inside.contacts.delete(email),
};

export const ends = ["COMMIT", "ROLLBACK", "COMMIT and BEGIN"] as const;

/** Calls `reached` when the call has sent its n-th statement, and before the database has answered it. */
function atStatement(database: string, n: number, reached: () => void): () => void {
  let seen = 0;
  const look = (message: unknown): void => {
    const { query, database: used } = message as { query: string; database: string };
    if (used === database && /whodid(?::|_call)/.test(query) && ++seen === n) queueMicrotask(reached);
  };
  const channels = ["tracing:mysql2:query:start", "tracing:mysql2:execute:start"];
  for (const channel of channels) subscribe(channel, look);
  return () => channels.forEach((channel) => unsubscribe(channel, look));
}

interface Beside extends OpenedMysql {
  tracker: Tracker;
}

/** A tracker with the attributes of the calls, and a table for the caller's own rows. */
export async function prepareBeside(opened: OpenedMysql): Promise<Beside> {
  const tracker = createTracker({ storage: opened.storage });
  await tracker.attributes.define({ key: "seats", type: "number" });
  await tracker.attributes.define({ key: "tier", type: "text" });
  await opened.pool.query("CREATE TABLE orders (id INT PRIMARY KEY AUTO_INCREMENT, email VARCHAR(99)) ENGINE=InnoDB");
  return { ...opened, tracker };
}

let contacts = 0;

/** Creates a contact with two events, for a call to change. */
async function createContact({ tracker }: Beside): Promise<string> {
  const email = `c${++contacts}@example.com`;
  await tracker.contacts.upsert({ email, name: "old", customAttributes: { seats: 1, tier: "b" } });
  for (let n = 0; n < 2; n++) await tracker.events.track({ externalId: email, eventKey: "bought" });
  return email;
}

/** All rows that a call on the contact changes. */
async function rowsOf({ pool, tracker, storage }: Beside, email: string, id: string): Promise<unknown[]> {
  const contact = await tracker.contacts.get(email);
  const [[row]] = await pool.query<RowDataPacket[]>(
    "SELECT COUNT(*) AS events FROM whodid_events WHERE contact_id = UNHEX(REPLACE(?, '-', ''))",
    [id],
  );
  const summaries = await storage.findSummaries("default", id);
  return [contact?.name ?? null, contact?.customAttributes, Number(row!["events"]), summaries[0]?.count ?? 0];
}

/** Runs the call, and the caller's end of the transaction at its n-th statement. Resolves with whether it has so many. */
async function runBeside(
  beside: Beside,
  transact: Transact,
  call: Call,
  end: (typeof ends)[number],
  n: number,
): Promise<boolean> {
  const email = await createContact(beside);
  const { id } = (await beside.tracker.contacts.get(email))!;
  const before = await rowsOf(beside, email, id);
  const stop = new Error("stop");
  let calling: Promise<unknown> = Promise.resolve();
  let hasReached = false;
  const database = new URL(beside.url).pathname.slice(1);
  await Promise.resolve(
    transact(async ({ executor, run }) => {
      await run(`INSERT INTO orders (email) VALUES ('${email}')`);
      await new Promise<void>((resolve) => {
        const forget = atStatement(database, n, () => {
          hasReached = true;
          resolve();
        });
        calling = call(beside.tracker.within(executor), email).finally(() => {
          forget();
          resolve();
        });
        calling.catch(() => {});
      });
      if (end === "ROLLBACK") throw stop;
      if (end === "COMMIT") return;
      await Promise.all([run("COMMIT"), run("BEGIN"), run(`INSERT INTO orders (email) VALUES ('${email}')`)]);
    }),
  ).catch((error: unknown) => {
    if (error !== stop) throw error;
  });
  const refusal = await within(30_000, "the call being answered", refused(calling));
  const after = await rowsOf(beside, email, id);
  const moment = `statement ${n}, then ${end}`;
  // The call reads definitions before its write, which is then refused whole.
  assert.ok(refusal === null || refusal === "transaction_required", `${moment}: ${refusal}`);
  if (end === "ROLLBACK" || refusal !== null) assert.deepEqual(after, before, moment);
  else await assertWhole(beside, call, after, moment);
  const [rows] = await beside.pool.query("SELECT id FROM orders WHERE email = ?", [email]);
  assert.equal((rows as unknown[]).length, { ROLLBACK: 0, COMMIT: 1, "COMMIT and BEGIN": 2 }[end], moment);
  return hasReached;
}

async function refused(calling: Promise<unknown>): Promise<string | null> {
  try {
    await calling;
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Compares with a contact that the same call has changed by itself. */
async function assertWhole(beside: Beside, call: Call, after: unknown[], moment: string): Promise<void> {
  const email = await createContact(beside);
  const { id } = (await beside.tracker.contacts.get(email))!;
  await call(beside.tracker, email);
  assert.deepEqual(after, await rowsOf(beside, email, id), moment);
}

/** Tries every moment of the call. Resolves with the number of runs. */
export async function tryEveryMoment(
  beside: Beside,
  transact: Transact,
  name: string,
  end: (typeof ends)[number],
): Promise<number> {
  let runs = 0;
  for (let round = 0; round < rounds; round++) {
    for (let n = 1; await runBeside(beside, transact, callsBeside[name]!, end, n); n++) runs++;
  }
  return runs;
}
