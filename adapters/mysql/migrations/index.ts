import { hash } from "node:crypto";
import { version01 } from "./version-0-1.ts";
import { version02 } from "./version-0-2.ts";
import { version03 } from "./version-0-3.ts";

/** Makes one DDL statement for the given table prefix. */
export type Migration = (prefix: string) => string;

/** All migrations in order of their numbers; the first is 1. A released migration is never edited: add a new one. */
export const migrations: readonly Migration[] = Object.values({ ...version01, ...version02, ...version03 });

/** The table of the migrations that a database has. */
export const createMigrations: Migration = (prefix) => `CREATE TABLE ${prefix}migrations (
  number INT NOT NULL PRIMARY KEY
) ENGINE=InnoDB`;

export const findMigrated: Migration = (prefix) => `SELECT MAX(number) AS number FROM ${prefix}migrations`;

export const insertMigrated = (prefix: string, number: number): string =>
  `INSERT INTO ${prefix}migrations (number) VALUES (${number})`;

export const findSchema = "SELECT DATABASE() AS name";

/** The lock's name is made here, because MySQL 9.7 has no SHA1(). Earlier versions let the server make the same name. */
export const lockMigrations = (schema: string, prefix: string): string =>
  `SELECT GET_LOCK('${lockName(schema, prefix)}', 10)`;

export const unlockMigrations = (schema: string, prefix: string): string =>
  `SELECT RELEASE_LOCK('${lockName(schema, prefix)}')`;

function lockName(schema: string, prefix: string): string {
  return hash("sha1", `whodid ${schema} ${prefix}`);
}
