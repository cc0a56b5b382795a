import type { Pool, RowDataPacket } from "mysql2/promise";

export async function countRows(pool: Pool, table: string, what = "*"): Promise<number> {
  const [[row]] = await pool.query<RowDataPacket[]>(`SELECT COUNT(${what}) AS count FROM ${table}`);
  return Number(row!["count"]);
}
