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
import { addApiKeyAccess } from "./11-api-key-access.ts";
import { addFoldedNames } from "./12-folded-names.ts";
import { indexFoldedNames } from "./13-contacts-by-folded-names.ts";
import { indexEventsByCreation } from "./14-events-by-creation.ts";
import { createWorkspaces } from "./15-workspaces.ts";
import { countDefinitionWrites } from "./16-definition-writes.ts";
import { createSalts } from "./17-salts.ts";
import { createOutbox } from "./18-outbox.ts";
import { createChanges } from "./19-changes.ts";
import { createChangeHeads } from "./20-change-heads.ts";
import { createSubscriptions } from "./21-subscriptions.ts";
import { createSlots } from "./22-slots.ts";
import { createWaiting } from "./23-waiting.ts";
import { insertSlots } from "./24-slots-of-subscriptions.ts";
import { createWatches } from "./25-watches.ts";
import { createMemberships } from "./26-memberships.ts";
import { createDismissals } from "./27-dismissals.ts";
import { markDeletedWorkspaces } from "./28-deleted-workspaces.ts";
import { createWebhooks } from "./29-webhooks.ts";
import { createWebhookSecrets } from "./30-webhook-secrets.ts";
import { widenEventsByCreation } from "./31-events-of-a-day.ts";

/** Makes one DDL statement for the given table prefix. */
export type Migration = (prefix: string) => string;

/** All migrations in order; the first has number 1. A released migration is never edited: add a new one. */
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
  addApiKeyAccess,
  addFoldedNames,
  indexFoldedNames,
  indexEventsByCreation,
  createWorkspaces,
  countDefinitionWrites,
  createSalts,
  createOutbox,
  createChanges,
  createChangeHeads,
  createSubscriptions,
  createSlots,
  createWaiting,
  insertSlots,
  createWatches,
  createMemberships,
  createDismissals,
  markDeletedWorkspaces,
  createWebhooks,
  createWebhookSecrets,
  widenEventsByCreation,
];

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
