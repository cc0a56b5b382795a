/** The rows of changes, in the outbox and in the log. */
import { createHash } from "node:crypto";
import type { ChangedValues, ChangeDraft, ChangeRow } from "../../../lib/storage/changes.ts";
import type { CompletedChecklistItem } from "../../../lib/model/types.ts";
import type { StoredTopics } from "../../../lib/storage/rows.ts";
import type { ChangeTableRow } from "./outbox.ts";
import { id, text, textOrNull, type Row } from "./rows.ts";

/** The rest of a change as JSON: the detail of its kind, the contact's externalId, and the email if it differs from this. */
type Body = [detail: unknown, externalId: string | null, email?: string];

export function toChangeTableRow(workspace: string, change: ChangeDraft): ChangeTableRow {
  const { contact } = change;
  const body: Body = [detailOf(change), contact.externalId];
  if ("email" in contact && contact.email !== contact.externalId) body.push(contact.email);
  return {
    workspace,
    id: change.id,
    kind: change.kind,
    contactId: contact.id,
    eventKey: keyOf(change),
    at: change.at,
    body: JSON.stringify(body),
  };
}

/** The key that subscriptions select: of the event or the audience. Hashed with the subscription if only that one takes the change. */
function keyOf(change: ChangeDraft): string | null {
  if ("audienceKey" in change) return keyOfAudience(change.audienceKey, change.own);
  return change.kind === "event_recorded" ? change.event.eventKey : null;
}

/** A hashed key begins with `=`, which no audience key contains. */
function keyOfAudience(audienceKey: string, own: string | undefined): string {
  if (own === undefined) return audienceKey;
  return `=${createHash("sha256").update(`${own} ${audienceKey}`).digest("base64url")}`;
}

/** The topics, with the audience keys in the form that the rows contain. */
export function keyedTopics({ own, audiences, ...topics }: StoredTopics): StoredTopics {
  return { ...topics, ...(audiences && { audiences: audiences.map((key) => keyOfAudience(key, own)) }) };
}

function detailOf(change: ChangeDraft): unknown {
  switch (change.kind) {
    case "event_recorded":
      return change.event.createdAt;
    case "contact_created":
    case "contact_updated":
      return change.changed;
    case "contact_deleted":
      return null;
    case "item_completed":
      return change.item;
    case "checklist_completed":
      return change.checklistKey;
    case "audience_entered":
    case "audience_left": {
      const { audienceKey, own, current } = change;
      return own === undefined ? null : { audienceKey, own, current };
    }
  }
}

export function toChange(row: Row): ChangeRow {
  return { ...toDraft(row), position: Number(row.position), properties: textOrNull(row.properties) };
}

function toDraft(row: Row): ChangeDraft {
  const kind = text(row.kind) as ChangeDraft["kind"];
  const [detail, externalId, email = externalId] = JSON.parse(text(row.body)) as Body;
  const common = { id: id(row.change_id), at: Number(row.changed_at) };
  const contactId = id(row.contact_id);
  if (kind === "contact_deleted") return { ...common, kind, contact: { id: contactId, externalId } };
  // Only the change of a deletion can lack the externalId.
  const contact = { id: contactId, email: email!, externalId: externalId! };
  switch (kind) {
    case "event_recorded":
      return { ...common, kind, contact, event: { eventKey: text(row.event_key), createdAt: Number(detail) } };
    case "contact_created":
    case "contact_updated":
      return { ...common, kind, contact, changed: detail as ChangedValues };
    case "item_completed":
      return { ...common, kind, contact, item: detail as CompletedChecklistItem };
    case "checklist_completed":
      return { ...common, kind, contact, checklistKey: String(detail) };
    case "audience_entered":
    case "audience_left":
      return { ...common, kind, contact, audienceKey: text(row.event_key), ...(detail as object | null) };
  }
}
