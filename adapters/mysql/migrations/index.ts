import { hash } from "node:crypto";
import { createContacts } from "./1-contacts.ts";
import { createEvents } from "./2-events.ts";
import { createSummaries } from "./3-summaries.ts";
import { createDefinitions } from "./4-definitions.ts";
import { createApiKeys } from "./5-api-keys.ts";
import { createApiKeyUses } from "./6-api-key-uses.ts";
import { createCompletions } from "./7-completions.ts";
import { orderSummariesByEvent } from "./8-summaries-in-order-of-event.ts";
import { indexContactsById } from "./9-contacts-by-id.ts";
import { addCompletionTimes } from "./10-completion-times.ts";

/** One DDL statement, from the table prefix. */
export type Migration = (prefix: string) => string;

/** In order; the first is number 1. A released one is never edited, only followed by another. */
export const migrations: readonly Migration[] = [
  createContacts,
  createEvents,
  createSummaries,
  createDefinitions,
  createApiKeys,
  createApiKeyUses,
  createCompletions,
  orderSummariesByEvent,
  indexContactsById,
  addCompletionTimes,
];

/** Which of them a database has. */
export const createMigrations: Migration = (prefix) => `CREATE TABLE ${prefix}migrations (
  number INT NOT NULL PRIMARY KEY
) ENGINE=InnoDB`;

export const findMigrated: Migration = (prefix) => `SELECT MAX(number) AS number FROM ${prefix}migrations`;

export const insertMigrated = (prefix: string, number: number): string =>
  `INSERT INTO ${prefix}migrations (number) VALUES (${number})`;

export const findSchema = "SELECT DATABASE() AS name";

/** By a name made here: MySQL 9.7 has no SHA1(). Earlier versions of this package had the database make the same name. */
export const lockMigrations = (schema: string, prefix: string): string =>
  `SELECT GET_LOCK('${lockName(schema, prefix)}', 10)`;

export const unlockMigrations = (schema: string, prefix: string): string =>
  `SELECT RELEASE_LOCK('${lockName(schema, prefix)}')`;

function lockName(schema: string, prefix: string): string {
  return hash("sha1", `whodid ${schema} ${prefix}`);
}
