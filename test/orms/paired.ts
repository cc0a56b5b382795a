import assert from "node:assert/strict";
import type { Pool, RowDataPacket } from "mysql2/promise";

/** Asserts that each order has its event, and each event its order. Resolves with their numbers. */
export async function assertPaired(pool: Pool): Promise<number[]> {
  const [orders] = await pool.query<RowDataPacket[]>("SELECT id FROM orders ORDER BY id");
  const [events] = await pool.query<RowDataPacket[]>(
    "SELECT CAST(JSON_EXTRACT(properties, '$.order') AS SIGNED) AS id FROM whodid_events ORDER BY 1",
  );
  const [ordered, tracked] = [orders, events].map((rows) => rows.map(({ id }) => Number(id)));
  assert.deepEqual(tracked, ordered);
  return ordered!;
}
