import { createConnection, type RowDataPacket } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { accepted } from "../../../lib/storage/refusals.ts";
import type { ChangeRow } from "../../../lib/storage/changes.ts";
import type { ShownContact } from "./calls.ts";
import { readLeft, type Left } from "./left.ts";
import { rowsUpTo } from "../../../adapters/storage-contract/drafts.ts";

export interface StoredContact extends Omit<ShownContact, "externalId"> {
  workspace: string;
  externalId: string | null;
  /** In milliseconds since the Unix epoch. */
  createdAt: number;
}

export interface StoredEvent {
  id: string;
  contactId: string;
  eventKey: string;
  tag: string;
  createdAt: number;
  /** The items that it completed. */
  items: string[];
}

export interface StoredSummary {
  contactId: string;
  eventKey: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** All rows that a run has left. */
export interface Rows {
  /** By their ids. */
  contacts: Map<string, StoredContact>;
  events: StoredEvent[];
  summaries: StoredSummary[];
  /** The contacts of items that were completed by hand. */
  completions: string[];
  /** The contacts of checklists that were dismissed. */
  dismissals: string[];
  apiKeys: Set<string>;
  own: Set<string>;
  /** In the order of the log. */
  changes: ChangeRow[];
  /** The contacts of changes, but for deletions, as the table has them. */
  changed: string[];
  left: Left;
}

/** The rows of one workspace. Those of contacts that are not there are in `default`. */
export function rowsOf(rows: Rows, workspace: string): Rows {
  const has = (id: string): boolean => (rows.contacts.get(id)?.workspace ?? "default") === workspace;
  const ofContact = ({ contactId }: { contactId: string }): boolean => has(contactId);
  return {
    ...rows,
    contacts: new Map([...rows.contacts].filter(([id]) => has(id))),
    events: rows.events.filter(ofContact),
    summaries: rows.summaries.filter(ofContact),
    completions: rows.completions.filter(has),
    dismissals: rows.dismissals.filter(has),
    changed: rows.changed.filter(has),
  };
}

/** Reads all rows. Ids are UUIDs, as in answers. */
export async function readRows(url: string): Promise<Rows> {
  const connection = await createConnection({ uri: url, connectTimeout: 30_000 });
  const read = async (sql: string): Promise<RowDataPacket[]> => (await connection.query<RowDataPacket[]>(sql))[0];
  try {
    const contacts =
      await read(`SELECT ${uuid("id")} AS id, ${text("workspace")}, ${text("email")}, ${text("external_id")}, ${text("name")},
  ${text("plan")}, ${text("role")}, attributes, created_at FROM whodid_contacts`);
    const events = await read(`SELECT ${uuid("id")} AS id, ${uuid("contact_id")} AS contact, ${text("event_key")},
  properties, created_at, completed_items FROM whodid_events`);
    const summaries = await read(`SELECT ${uuid("contact_id")} AS contact, ${text("event_key")}, event_count, first_at,
  last_at FROM whodid_summaries`);
    return {
      contacts: new Map(contacts.map((row) => [String(row["id"]), toContact(row)])),
      events: events.map(toEvent),
      summaries: summaries.map(toSummary),
      completions: (await read(`SELECT ${uuid("contact_id")} AS id FROM whodid_completions`)).map(idOf),
      dismissals: (await read(`SELECT ${uuid("contact_id")} AS id FROM whodid_dismissals`)).map(idOf),
      apiKeys: new Set((await read(`SELECT ${uuid("id")} AS id FROM whodid_api_keys`)).map(idOf)),
      own: new Set((await read("SELECT id FROM own_rows")).map(idOf)),
      // When nothing waits any more, nothing is left of a deleted contact.
      changes: await readChanges(url),
      changed: (await read(changedContacts)).map(idOf),
      left: await readLeft(read),
    };
  } finally {
    connection.destroy();
  }
}

const changedContacts = `SELECT ${uuid("contact_id")} AS id FROM whodid_changes WHERE kind <> 'contact_deleted'`;

type Page = { rows: ChangeRow[]; position: number; more: boolean };

/** Logs what waits, and reads the log. */
async function readChanges(url: string): Promise<ChangeRow[]> {
  const storage = mysqlStorage(url);
  try {
    while ((await storage.logChanges()).more);
    const changes: ChangeRow[] = [];
    let after: number | null = null;
    for (;;) {
      const page: Page = accepted(await storage.listChanges("default", "everything", after, rowsUpTo(500)));
      changes.push(...page.rows);
      if (!page.more) return changes;
      after = page.position;
    }
  } finally {
    await storage.close();
  }
}

function uuid(column: string): string {
  return `LOWER(INSERT(INSERT(INSERT(INSERT(HEX(${column}), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-'))`;
}

function text(column: string): string {
  return `CAST(${column} AS CHAR) AS ${column}`;
}

function idOf(row: RowDataPacket): string {
  return String(row["id"]);
}

function toContact(row: RowDataPacket): StoredContact {
  const [mark = null] = Object.values(JSON.parse(String(row["attributes"])) as Record<string, string>);
  const textOf = (column: string): string | null => (row[column] ?? null) as string | null;
  return {
    id: idOf(row),
    workspace: String(row["workspace"]),
    email: String(row["email"]),
    externalId: textOf("external_id"),
    name: textOf("name"),
    plan: textOf("plan"),
    role: textOf("role"),
    mark,
    createdAt: Number(row["created_at"]),
  };
}

function toEvent(row: RowDataPacket): StoredEvent {
  const completed = (row["completed_items"] ?? "[]") as string;
  return {
    id: idOf(row),
    contactId: String(row["contact"]),
    eventKey: String(row["event_key"]),
    tag: (JSON.parse(String(row["properties"])) as { tag: string }).tag,
    createdAt: Number(row["created_at"]),
    items: (JSON.parse(completed) as { itemKey: string }[]).map(({ itemKey }) => itemKey),
  };
}

function toSummary(row: RowDataPacket): StoredSummary {
  return {
    contactId: String(row["contact"]),
    eventKey: String(row["event_key"]),
    count: Number(row["event_count"]),
    firstAt: Number(row["first_at"]),
    lastAt: Number(row["last_at"]),
  };
}
