/**
 * A shortcut: the answer to an event as JSON, joined from its few texts, most of which need no escape. It takes a third of the
 * time of `JSON.stringify`, which was a twentieth of the processor time of an event on memory.
 */
import type { CompletedChecklistItem, TrackedEvent } from "../types.ts";

/** What `JSON.stringify` makes of `{ success: true, event, completedChecklistItems }`. */
export function trackedJson(
  { id, eventKey, contactId, createdAt }: TrackedEvent,
  completedChecklistItems: readonly CompletedChecklistItem[],
): string {
  const event = `{"id":${quoted(id)},"eventKey":${quoted(eventKey)},"contactId":${quoted(contactId)},"createdAt":${quoted(createdAt)}}`;
  const items = completedChecklistItems.length === 0 ? "[]" : JSON.stringify(completedChecklistItems);
  return `{"success":true,"event":${event},"completedChecklistItems":${items}}`;
}

function quoted(text: string): string {
  // Printable ASCII without the quotation mark and the backslash.
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}
