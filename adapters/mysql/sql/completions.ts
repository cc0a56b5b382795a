import type { Completion, Dismissal } from "../../../lib/storage/rows.ts";
import type { Lock } from "./contacts.ts";
import { deleteBy, hexOf, type ById, type Statement } from "./statement.ts";

const contactsOf = `(SELECT UNHEX(id) AS contact_id FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed) named`;

/** Finds all counts of these contacts. */
export const findCountsOf =
  (contactIds: readonly string[], lock: Lock = ""): Statement =>
  (tables) => ({
    name: "findCountsOf",
    sql: `SELECT s.contact_id, s.event_key, s.event_count
FROM ${contactsOf}
STRAIGHT_JOIN ${tables.summaries} s FORCE INDEX (by_contact) ON s.contact_id = named.contact_id ${lock}`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  });

export const findCompletionsOf =
  (contactIds: readonly string[], lock: Lock = ""): Statement =>
  (tables) => ({
    name: "findCompletionsOf",
    sql: `SELECT d.contact_id, d.checklist_id, d.item_key, d.completed_at
FROM ${contactsOf}
STRAIGHT_JOIN ${tables.completions} d FORCE INDEX (PRIMARY) ON d.contact_id = named.contact_id ${lock}`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  });

export const findCompletions =
  (workspace: string, contactId: string): Statement =>
  (tables) => ({
    name: "findCompletions",
    sql: `SELECT d.checklist_id, d.item_key, d.completed_at FROM ${tables.completions} d
JOIN ${tables.contacts} c ON c.id = d.contact_id WHERE d.contact_id = UNHEX(?) AND c.workspace = CAST(? AS BINARY)`,
    values: [hexOf(contactId), workspace],
  });

/** Inserts a completion. An existing one keeps its time. */
export const insertCompletion =
  (contactId: string, { checklistId, itemKey, completedAt }: Completion): Statement =>
  (tables) => ({
    name: "insertCompletion",
    sql: `INSERT INTO ${tables.completions} (contact_id, checklist_id, item_key, completed_at)
VALUES (UNHEX(?), UNHEX(?), CAST(? AS BINARY), ?) ON DUPLICATE KEY UPDATE item_key = VALUES(item_key)`,
    values: [hexOf(contactId), hexOf(checklistId), itemKey, completedAt],
    mayChangeNothing: true,
  });

export const deleteCompletionsOf: ById = deleteBy("deleteCompletionsOf", "completions", "contact_id");

/** No checklist has this id, and no item this key. */
const noItem = "UNHEX(REPEAT('0', 32)), ''";

export const insertMarks =
  (contactIds: readonly string[]): Statement =>
  (tables) => ({
    name: "insertMarks",
    sql: `INSERT INTO ${tables.completions} (contact_id, checklist_id, item_key) SELECT named.contact_id, ${noItem} FROM ${contactsOf}`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  });

export const deleteMarks =
  (contactIds: readonly string[]): Statement =>
  (tables) => ({
    name: "deleteMarks",
    sql: `DELETE d FROM ${contactsOf}
STRAIGHT_JOIN ${tables.completions} d FORCE INDEX (PRIMARY)
  ON d.contact_id = named.contact_id AND (d.checklist_id, d.item_key) = (${noItem})`,
    values: [JSON.stringify(contactIds.map(hexOf))],
  });

export const findDismissals =
  (workspace: string, contactId: string): Statement =>
  (tables) => ({
    name: "findDismissals",
    sql: `SELECT d.checklist_id, d.dismissed_at FROM ${tables.dismissals} d
JOIN ${tables.contacts} c ON c.id = d.contact_id WHERE d.contact_id = UNHEX(?) AND c.workspace = CAST(? AS BINARY)`,
    values: [hexOf(contactId), workspace],
  });

/** Inserts a dismissal. An existing one keeps its time. */
export const insertDismissal =
  (contactId: string, { checklistId, dismissedAt }: Dismissal): Statement =>
  (tables) => ({
    name: "insertDismissal",
    sql: `INSERT INTO ${tables.dismissals} (contact_id, checklist_id, dismissed_at)
VALUES (UNHEX(?), UNHEX(?), ?) ON DUPLICATE KEY UPDATE contact_id = VALUES(contact_id)`,
    values: [hexOf(contactId), hexOf(checklistId), dismissedAt],
    mayChangeNothing: true,
  });

export const deleteDismissal =
  (contactId: string, checklistId: string): Statement =>
  (tables) => ({
    name: "deleteDismissal",
    sql: `DELETE FROM ${tables.dismissals} WHERE contact_id = UNHEX(?) AND checklist_id = UNHEX(?)`,
    values: [hexOf(contactId), hexOf(checklistId)],
  });
