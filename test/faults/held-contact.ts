import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { contestedEmail } from "./emails.ts";
import type { Stage } from "./under-load.ts";

/**
 * Holds one contact in an open transaction for 10 s; the others go on meanwhile, on each server. That none waits for the held one
 * is tested without load: here a few can be refused because the machine stood still.
 */
export async function holdContact({ url, load }: Stage): Promise<void> {
  const connection = await createConnection(url);
  try {
    const named = "SELECT id FROM whodid_contacts WHERE workspace = 'default' AND email = ?";
    const [[contact]] = await connection.query<RowDataPacket[]>(named, [contestedEmail]);
    await connection.beginTransaction();
    // By the primary key, so that the row alone is locked and not the gap beside it, where others insert.
    const [rows] = await connection.query<RowDataPacket[]>("SELECT id FROM whodid_contacts WHERE id = ? FOR UPDATE", [
      contact!["id"],
    ]);
    assert.equal(rows.length, 1);
    const held = sleep(10_000);
    for (let time = 0; time < 5; time++) await load.flow();
    await held;
    await connection.rollback();
  } finally {
    connection.destroy();
  }
}
