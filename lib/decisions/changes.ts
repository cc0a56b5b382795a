/**
 * Decides which changes a write causes, and which of them a subscription takes: functions over rows. A storage calls them in the
 * transaction of the write, under the contact's lock. Each change but that of an event gets a new id.
 */
import { newId } from "../model/ids.ts";
import { changedValuesMaxBytes } from "../model/limits.ts";
import { formatTime } from "../model/times.ts";
import { emptyPlainFields } from "../model/contact-types.ts";
import type { CompletedChecklistItem, Scalar } from "../model/types.ts";
import type { ChangeDraft, ChangedValue, ChangedValues } from "../storage/changes.ts";
import type {
  ChecklistRow,
  CompletionDraft,
  ContactFields,
  ContactRow,
  EventRow,
  StoredTopics,
} from "../storage/rows.ts";
import { countCompleted, type Doing } from "./completions.ts";
import { effectiveExternalId } from "./find-contact.ts";

/** Whether a subscription on these topics takes the change. */
export function isTaken(
  { events, contacts, checklists, audiences, own }: StoredTopics,
  change: { kind: ChangeDraft["kind"]; event?: { eventKey: string }; audienceKey?: string; own?: string },
): boolean {
  const { kind, event, audienceKey } = change;
  switch (kind) {
    case "event_recorded":
      return events === true || (event !== undefined && (events?.includes(event.eventKey) ?? false));
    case "item_completed":
    case "checklist_completed":
      return checklists ?? false;
    case "audience_entered":
    case "audience_left":
      return audienceKey !== undefined && own === change.own && (audiences?.includes(audienceKey) ?? false);
    default:
      return contacts ?? false;
  }
}

/** The topics, or the part of them that is about one audience. */
export function topicsOf(topics: StoredTopics, audienceKey?: string): StoredTopics {
  if (audienceKey === undefined) return topics;
  const { audiences = [], own } = topics;
  return { audiences: audiences.filter((key) => key === audienceKey), ...(own !== undefined && { own }) };
}

/** The change of a contact that was updated or, if `before` is `null`, created. None if `before` and `after` are the same row. */
export function changesOfContact(before: ContactRow | null, after: ContactRow): ChangeDraft[] {
  if (before === after) return [];
  const at = after.updatedAt;
  const kind = before ? "contact_updated" : "contact_created";
  return [{ kind, id: newId(at), at, contact: shown(after), changed: withinLimit(valuesOf(before, after)) }];
}

/** The change of a contact that is deleted. */
export function changeOfDeletion({ id, externalId }: Pick<ContactRow, "id" | "externalId">, at: number): ChangeDraft {
  return { kind: "contact_deleted", id: newId(at), at, contact: { id, externalId } };
}

/** The names of a contact that its changes show. */
export type Named = Pick<ContactRow, "id" | "email" | "externalId">;

/** The changes of an event that was added: its own, then those of the items and the checklists that it completed. */
export function changesOfEvent(contact: Named, event: EventRow, recordedAt: number): ChangeDraft[] {
  const { id, eventKey, createdAt, completedItems } = event;
  const items = completedItems === null ? [] : (JSON.parse(completedItems) as CompletedChecklistItem[]);
  return [
    { kind: "event_recorded", id, at: recordedAt, contact: shown(contact), event: { eventKey, createdAt } },
    ...changesOfItems(contact, items, recordedAt),
  ];
}

/**
 * The changes of an item that was completed by hand for the first time. `doing` includes the completion. There are none if the
 * checklist was deleted (`undefined`), if it lacks the item, or if the completion has no time.
 */
export function changesOfCompletion(
  contact: Named,
  checklist: ChecklistRow | undefined,
  { itemKey, completedAt }: Pick<CompletionDraft, "itemKey" | "completedAt">,
  doing: Doing,
): ChangeDraft[] {
  const item = checklist?.body.items.find(({ key, when }) => key === itemKey && !when);
  if (!checklist || !item || completedAt === null) return [];
  const progress = countCompleted(checklist, doing);
  const { name } = item;
  const completed = { checklistKey: checklist.key, itemKey, name, completedAt: formatTime(completedAt), progress };
  return changesOfItems(contact, [completed], completedAt);
}

function changesOfItems(contact: Named, items: readonly CompletedChecklistItem[], at: number): ChangeDraft[] {
  const whole = items.filter(({ progress }) => progress.completed === progress.total);
  const checklistKeys = new Set(whole.map(({ checklistKey }) => checklistKey));
  return [
    ...items.map((item) => ({ kind: "item_completed" as const, id: newId(at), at, contact: shown(contact), item })),
    ...Array.from(checklistKeys, (checklistKey) => ({
      kind: "checklist_completed" as const,
      id: newId(at),
      at,
      contact: shown(contact),
      checklistKey,
    })),
  ];
}

/** The contact as a change shows it. */
export function shown(contact: Named): { id: string; email: string; externalId: string } {
  return { id: contact.id, email: contact.email, externalId: effectiveExternalId(contact) };
}

const fieldNames = [
  "email",
  "externalId",
  ...Object.keys(emptyPlainFields),
  "signedUpAt",
] as readonly (keyof ContactFields)[];

function valuesOf(before: ContactRow | null, after: ContactRow): ChangedValues {
  const fields: ChangedValues["fields"] = {};
  const valueOf = (row: ContactRow | null, field: keyof ContactFields): Scalar | null =>
    row && (field === "externalId" ? effectiveExternalId(row) : row[field]);
  for (const field of fieldNames) {
    const changed = changedValue(valueOf(before, field), valueOf(after, field));
    if (changed) fields[field] = changed;
  }
  const attributes: ChangedValues["attributes"] = {};
  for (const id of Object.keys({ ...before?.attributes, ...after.attributes })) {
    const changed = changedValue(before?.attributes[id] ?? null, after.attributes[id] ?? null);
    if (changed) attributes[id] = changed;
  }
  return { fields, attributes };
}

function changedValue(before: Scalar | null, after: Scalar | null): ChangedValue {
  return before === after ? null : { before, after };
}

/** Leaves out the values if they have too many bytes. */
function withinLimit({ fields, attributes }: ChangedValues): ChangedValues {
  if (Buffer.byteLength(JSON.stringify({ fields, attributes })) <= changedValuesMaxBytes) return { fields, attributes };
  const names = (values: object): Record<string, null> =>
    Object.fromEntries(Object.keys(values).map((name) => [name, null]));
  return { fields: names(fields), attributes: names(attributes) };
}
