import { effectiveExternalId } from "../../lib/decisions/find-contact.ts";
import type * as rows from "../../lib/storage/rows.ts";
import type { ChangeDraft } from "../../lib/storage/changes.ts";
import type { WatchRow } from "../../lib/storage/watches.ts";
import { createLog, overlayLog, type ChangeLog, type ChangeWriter, type Positions } from "./changes/index.ts";
import { findInOrder } from "./order.ts";

/** A contact and all its data. */
export interface ContactRecord {
  row: rows.ContactRow;
  /** In order of `createdAt`, then id. */
  events: rows.EventRow[];
  summaries: Map<string, rows.EventSummary>;
  completions: rows.Completion[];
  dismissals: rows.Dismissal[];
  /** The ids of the watches whose member the contact was when it was last evaluated. */
  watches: Set<string>;
}

/** The methods of Map that the operations use. */
export interface Table<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): unknown;
  delete(key: string): unknown;
  values(): Iterable<Value>;
}

/** Finds the stored rows of a kind in one workspace. */
type Definitions = <Kind extends rows.DefinitionRow["kind"]>(
  this: void,
  kind: Kind,
) => readonly rows.DefinitionOf<Kind>[];

/** The contacts and events of one workspace. */
export interface Tables {
  /** By id. */
  contacts: Table<ContactRecord>;
  /** Contact ids by email. */
  emails: Table<string>;
  /** Contact ids by effective externalId. */
  externalIds: Table<string>;
  /** By idempotency hash. */
  keyedEvents: Table<rows.EventRow>;
  changes: ChangeWriter;
  /** The definitions of a kind. No transaction changes them. */
  definitions: Definitions;
  /** The watched audiences. Definitions change them in place, outside of transactions. */
  watches: WatchRow[];
  /** Returns the record of a contact, which must exist. The caller can change it in place. */
  edit(contactId: string): ContactRecord;
}

/** The tables outside of transactions. */
export interface SharedTables extends Tables {
  changes: ChangeLog;
}

/** Makes empty tables of the workspace that has the definitions. */
export function createTables(definitions: Definitions, positions: Positions): SharedTables {
  const contacts = new Map<string, ContactRecord>();
  return {
    contacts,
    emails: new Map(),
    externalIds: new Map(),
    keyedEvents: new Map(),
    definitions,
    watches: [],
    changes: createLog(
      () => definitions("subscription"),
      (change) => propertiesOf(contacts, change),
      positions,
    ),
    // The caller has found the contact.
    edit: (contactId) => contacts.get(contactId)!,
  };
}

function propertiesOf(contacts: Table<ContactRecord>, change: ChangeDraft): string | null {
  const record = change.kind === "event_recorded" ? contacts.get(change.contact.id) : undefined;
  if (change.kind !== "event_recorded" || !record) return null;
  const position = { createdAt: change.event.createdAt, id: change.id };
  return findInOrder(record.events, position)?.properties ?? null;
}

/** Makes tables that show the base tables and their own changes. `apply` writes the changes to the base. */
export function overlayTables(base: Tables): Tables & { apply(): void } {
  const contacts = overlay(base.contacts);
  const emails = overlay(base.emails);
  const externalIds = overlay(base.externalIds);
  const keyedEvents = overlay(base.keyedEvents);
  const changes = overlayLog(base.changes);
  return {
    contacts,
    emails,
    externalIds,
    keyedEvents,
    changes,
    definitions: base.definitions,
    watches: base.watches,
    edit(contactId) {
      // The caller has found the contact.
      const record = contacts.get(contactId)!;
      if (record !== base.contacts.get(contactId)) return record;
      const copy = {
        row: record.row,
        events: [...record.events],
        summaries: structuredClone(record.summaries),
        completions: [...record.completions],
        dismissals: [...record.dismissals],
        watches: new Set(record.watches),
      };
      contacts.set(contactId, copy);
      return copy;
    },
    apply: () => [contacts, emails, externalIds, keyedEvents, changes].forEach((table) => table.apply()),
  };
}

function overlay<Value>(base: Table<Value>): Table<Value> & { apply(): void } {
  const changes = new Map<string, Value | undefined>();
  return {
    get: (key) => (changes.has(key) ? changes.get(key) : base.get(key)),
    set: (key, value) => changes.set(key, value),
    delete: (key) => changes.set(key, undefined),
    *values() {
      const changed = new Set<unknown>([...changes.keys()].map((key) => base.get(key)));
      for (const value of base.values()) if (!changed.has(value)) yield value;
      for (const value of changes.values()) if (value !== undefined) yield value;
    },
    apply() {
      for (const [key, value] of changes) {
        if (value === undefined) base.delete(key);
        else base.set(key, value);
      }
    },
  };
}

export function findByEmail(tables: Tables, email: string): rows.ContactRow | null {
  return rowOf(tables, tables.emails.get(email));
}

export function findByEffectiveExternalId(tables: Tables, externalId: string): rows.ContactRow | null {
  return rowOf(tables, tables.externalIds.get(externalId));
}

function rowOf({ contacts }: Tables, contactId: string | undefined): rows.ContactRow | null {
  // The indexes contain only ids of existing contacts.
  return contactId === undefined ? null : contacts.get(contactId)!.row;
}

/** Replaces the contact `before` by `after`, in the indexes too. `before` is `null` for a new contact. */
export function putContact(tables: Tables, before: rows.ContactRow | null, after: rows.ContactRow): void {
  if (before) {
    tables.emails.delete(before.email);
    tables.externalIds.delete(effectiveExternalId(before));
    tables.edit(after.id).row = after;
  } else {
    tables.contacts.set(after.id, {
      row: after,
      events: [],
      summaries: new Map(),
      completions: [],
      dismissals: [],
      watches: new Set(),
    });
  }
  tables.emails.set(after.email, after.id);
  tables.externalIds.set(effectiveExternalId(after), after.id);
}

export function removeContact(tables: Tables, { row, events }: ContactRecord): void {
  for (const { idempotencyHash } of events) {
    if (idempotencyHash !== null) tables.keyedEvents.delete(idempotencyHash);
  }
  tables.changes.forget(row.id);
  tables.contacts.delete(row.id);
  tables.emails.delete(row.email);
  tables.externalIds.delete(effectiveExternalId(row));
}
