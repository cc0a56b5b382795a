/** Decides which slot has the changes of a contact. The consumers of a subscription share its slots. */
import { slotCount } from "../model/limits.ts";

/** The slot of a contact's changes: the lowest six bits of its id, which are random. */
export function slotOf(contactId: string): number {
  return Number.parseInt(contactId.slice(-2), 16) % slotCount;
}
