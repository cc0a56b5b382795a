import type { RowDataPacket } from "mysql2/promise";

type Read = (sql: string) => Promise<RowDataPacket[]>;

/** What shows whether a deletion has left something. */
export interface Left {
  /** The tables that have rows of a workspace, by its name. */
  tables: Map<string, string[]>;
  /** Rows whose definition, watch or API key is gone, and changes that were not logged. */
  orphans: string[];
}

export async function readLeft(read: Read): Promise<Left> {
  return { tables: await readTables(read), orphans: await readOrphans(read) };
}

async function readTables(read: Read): Promise<Left["tables"]> {
  const tables = new Map<string, string[]>();
  const named = await read(
    "SELECT TABLE_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_NAME = 'workspace'",
  );
  for (const table of named.map(nameOf)) {
    for (const workspace of (await read(`SELECT DISTINCT CAST(workspace AS CHAR) AS name FROM ${table}`)).map(nameOf))
      tables.set(workspace, [...(tables.get(workspace) ?? []), table]);
  }
  return tables;
}

const references: readonly (readonly [table: string, column: string, other: string])[] = [
  ["subscriptions", "id", "definitions"],
  ["slots", "subscription_id", "definitions"],
  ["waiting", "subscription_id", "definitions"],
  ["memberships", "watch_id", "watches"],
  ["memberships", "contact_id", "contacts"],
  ["api_key_uses", "api_key_id", "api_keys"],
];

async function readOrphans(read: Read): Promise<string[]> {
  const orphans = (await read("SELECT id AS name FROM whodid_outbox")).map((row) => `row ${nameOf(row)} of the outbox`);
  for (const [table, column, other] of references) {
    const found = await read(
      `SELECT HEX(${column}) AS name FROM whodid_${table} WHERE ${column} NOT IN (SELECT id FROM whodid_${other})`,
    );
    orphans.push(...found.map((row) => `${column} ${nameOf(row)} of ${table}`));
  }
  return orphans;
}

function nameOf(row: RowDataPacket): string {
  return String(row["name"]);
}
