import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Pool } from "mysql2/promise";
import { TrackerError, type Tracked, type Tracker } from "../../lib/index.ts";
import type { Ledger } from "../faults/ledger.ts";

/** What the writers know. */
export interface Known {
  ledger: Ledger;
  /** Of the transactions whose COMMIT was acknowledged. */
  orders: Set<number>;
  /** `contactId itemKey`, each time an event that is acknowledged announced it. */
  announced: string[];
  /** How often a call was answered what. */
  answers: Record<string, number>;
}

/** One node, as an application uses it. */
export interface Application {
  tracker: Tracker;
  pool: Pool;
}

/** The same, with the type of what `transaction` hands out. */
export interface ManagedApplication {
  tracker: Tracker<Connection>;
}

/** An order and its event, in either order, in one transaction of the caller's, which is given up when anything in it is refused. */
export async function order(
  { tracker, pool }: Application,
  known: Known,
  number: number,
  externalId: string,
): Promise<void> {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    const insertOrder = (): Promise<unknown> => connection.execute("INSERT INTO orders VALUES (?)", [number]);
    if (number % 2 === 0) await insertOrder();
    const event = { externalId, eventKey: "order_placed", properties: { sent: `order-${number}` } };
    const tracked = await tracker
      .within(connection)
      .events.track(event, { idempotencyKey: `order-${number}` })
      .catch((error: unknown) => {
        if (!(error instanceof TrackerError)) known.ledger.complaints.push(`within: ${String(error)}`);
        throw error;
      });
    if (number % 2 === 1) await insertOrder();
    await connection.commit();
    known.orders.add(number);
    note(known, `order-${number}`, true, tracked);
    count(known, "orders");
  } catch (error) {
    count(known, `orders ${(error as { code: string }).code}`);
    await connection.rollback();
  } finally {
    connection.release();
  }
}

/** The same in a transaction that the storage begins and ends. */
export async function managedOrder(
  { tracker }: ManagedApplication,
  known: Known,
  number: number,
  externalId: string,
): Promise<void> {
  const idempotencyKey = `order-${number}`;
  const event = { externalId, eventKey: "order_placed", properties: { sent: idempotencyKey } };
  try {
    const tracked = await tracker.transaction(async (tx, connection) => {
      const insertOrder = (): Promise<unknown> => connection.execute("INSERT INTO orders VALUES (?)", [number]);
      if (number % 2 === 0) await insertOrder();
      const result = await tx.events.track(event, { idempotencyKey });
      if (number % 2 === 1) await insertOrder();
      return result;
    });
    known.orders.add(number);
    note(known, idempotencyKey, true, tracked);
    count(known, "managed orders");
  } catch (error) {
    count(known, `managed orders ${(error as { code: string }).code}`);
  }
}

/** An event without a key, which shares the transactions that go on from COMMIT to COMMIT. */
export async function send({ tracker }: Application, known: Known, number: number, externalId: string): Promise<void> {
  const event = { externalId, eventKey: "page_viewed", properties: { sent: `event-${number}` } };
  const tracked = await counted(known, "events", () => tracker.events.track(event));
  if (tracked) note(known, `event-${number}`, false, tracked);
}

/** An event with a key, through all nodes at once, each again until it is acknowledged. */
export async function sendToAll(
  applications: readonly Application[],
  known: Known,
  number: number,
  externalId: string,
): Promise<void> {
  const idempotencyKey = `keyed-${number}`;
  const event = { externalId, eventKey: "page_viewed", properties: { sent: idempotencyKey } };
  const track = async ({ tracker }: Application): Promise<Tracked> => {
    for (;;) {
      const tracked = await counted(known, "keyed events", () => tracker.events.track(event, { idempotencyKey }));
      if (tracked) return tracked;
      await sleep(50);
    }
  };
  const [first, ...others] = await Promise.all(applications.map(track));
  note(known, idempotencyKey, true, first!);
  const textOf = (tracked: Tracked): string => JSON.stringify([tracked.event, tracked.completedChecklistItems]);
  if (others.some((other) => textOf(other) !== textOf(first!))) known.ledger.complaints.push("one key, two answers");
}

/** A change of the contact, which takes the locks that an event holds. */
export async function post({ tracker }: Application, known: Known, number: number, email: string): Promise<void> {
  await counted(known, "contacts", () => tracker.contacts.upsert({ email, name: String(number) }));
}

/** A call's result; `null` if others kept it waiting for too long, which is all that it may be refused for. */
async function counted<Result>(known: Known, name: string, call: () => Promise<Result>): Promise<Result | null> {
  try {
    const result = await call();
    count(known, name);
    return result;
  } catch (error) {
    const { code } = error as { code: string };
    if (code !== "storage_unavailable") throw error;
    count(known, `${name} ${code}`);
    return null;
  }
}

function note({ ledger, announced }: Known, sent: string, isKeyed: boolean, tracked: Tracked): void {
  const { event, completedChecklistItems } = tracked;
  const { id, contactId, eventKey, createdAt } = event;
  ledger.events.push({ sent, isKeyed, id, contactId, eventKey, createdAt });
  announced.push(...completedChecklistItems.map(({ itemKey }) => `${contactId.replaceAll("-", "")} ${itemKey}`));
}

function count({ answers }: Known, name: string): void {
  answers[name] = (answers[name] ?? 0) + 1;
}
