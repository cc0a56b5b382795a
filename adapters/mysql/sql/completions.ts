import type { Completion, Dismissal } from "../../../lib/storage/rows.ts";
import type { Lock } from "./contacts.ts";
import { hexOf, named, plain, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { deleteBy, query, table, template, type ById, type Statement } from "./statement.ts";

const contactsNamed = (contactIds: readonly string[]): Fragment => named(contactIds.map(hexOf), { contact_id: "id" });

/** Finds all counts of these contacts. */
export const findCountsOf = (contactIds: readonly string[], lock: Lock = ""): Statement => query("findCountsOf")`
  SELECT s.contact_id, s.event_key, s.event_count FROM ${contactsNamed(contactIds)}
  STRAIGHT_JOIN ${table.summaries} s FORCE INDEX (by_contact) ON s.contact_id = named.contact_id ${sqlOf(lock)}`;

export const findCompletionsOf = (contactIds: readonly string[], lock: Lock = ""): Statement =>
  query("findCompletionsOf")`
  SELECT d.contact_id, d.checklist_id, d.item_key, d.completed_at FROM ${contactsNamed(contactIds)}
  STRAIGHT_JOIN ${table.completions} d FORCE INDEX (PRIMARY) ON d.contact_id = named.contact_id ${sqlOf(lock)}`;

/** The rows `d` of the contact, if it is of the workspace. */
const ofContact = (workspace: string, contactId: string) => template`d
  JOIN ${table.contacts} c ON c.id = d.contact_id WHERE d.contact_id = ${uuid(contactId)} AND c.workspace = ${workspace}`;

export const findCompletions = (workspace: string, contactId: string): Statement => query("findCompletions")`
  SELECT d.checklist_id, d.item_key, d.completed_at FROM ${table.completions} ${ofContact(workspace, contactId)}`;

/** Inserts a completion. An existing one keeps its time. */
export const insertCompletion = (contactId: string, { checklistId, itemKey, completedAt }: Completion): Statement =>
  query("insertCompletion", { mayChangeNothing: true })`
  INSERT INTO ${table.completions} (contact_id, checklist_id, item_key, completed_at)
  VALUES (${uuid(contactId)}, ${uuid(checklistId)}, ${itemKey}, ${plain(completedAt)})
  ON DUPLICATE KEY UPDATE item_key = VALUES(item_key)`;

export const deleteCompletionsOf: ById = deleteBy("deleteCompletionsOf", "completions", "contact_id");

/** No checklist has this id, and no item this key. */
const noItem = sqlOf("UNHEX(REPEAT('0', 32)), ''");

export const insertMarks = (contactIds: readonly string[]): Statement => query("insertMarks")`
  INSERT INTO ${table.completions} (contact_id, checklist_id, item_key)
  SELECT named.contact_id, ${noItem} FROM ${contactsNamed(contactIds)}`;

export const deleteMarks = (contactIds: readonly string[]): Statement => query("deleteMarks")`
  DELETE d FROM ${contactsNamed(contactIds)} STRAIGHT_JOIN ${table.completions} d FORCE INDEX (PRIMARY)
    ON d.contact_id = named.contact_id AND (d.checklist_id, d.item_key) = (${noItem})`;

export const findDismissals = (workspace: string, contactId: string): Statement => query("findDismissals")`
  SELECT d.checklist_id, d.dismissed_at FROM ${table.dismissals} ${ofContact(workspace, contactId)}`;

/** Inserts a dismissal. An existing one keeps its time. */
export const insertDismissal = (contactId: string, { checklistId, dismissedAt }: Dismissal): Statement =>
  query("insertDismissal", { mayChangeNothing: true })`
  INSERT INTO ${table.dismissals} (contact_id, checklist_id, dismissed_at)
  VALUES (${uuid(contactId)}, ${uuid(checklistId)}, ${dismissedAt})
  ON DUPLICATE KEY UPDATE contact_id = VALUES(contact_id)`;

export const deleteDismissal = (contactId: string, checklistId: string): Statement => query("deleteDismissal")`
  DELETE FROM ${table.dismissals} WHERE contact_id = ${uuid(contactId)} AND checklist_id = ${uuid(checklistId)}`;
