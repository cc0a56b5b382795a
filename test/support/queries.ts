import { createConnection, type RowDataPacket } from "mysql2/promise";

/** Resolves with the rows, by a connection of its own. */
export async function query(url: string, sql: string): Promise<RowDataPacket[]> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

/** Resolves with the number `n` of the only row. */
export async function countBy(url: string, sql: string): Promise<number> {
  const [row] = await query(url, sql);
  return Number(row!["n"]);
}
