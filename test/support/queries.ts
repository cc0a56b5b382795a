import { createConnection, type Connection, type RowDataPacket } from "mysql2/promise";

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

/** The value of one column of the first row. */
export async function read(connection: Connection, sql: string): Promise<unknown> {
  const [[row]] = await connection.query<RowDataPacket[]>(sql);
  return Object.values(row!)[0];
}

/** Resolves with the number `n` of the only row. */
export async function countBy(url: string, sql: string): Promise<number> {
  const [row] = await query(url, sql);
  return Number(row!["n"]);
}
