import type { CompletedChecklistItem } from "./checklist-types.ts";
import type { Scalar, StoredEvent } from "./types.ts";

/**
 * A change that a committed write caused, as it was at the commit. Later versions may add kinds, so ignore a kind that you do
 * not know.
 */
export type Change = ContactChange | DeletionChange | EventChange | ItemChange | ChecklistChange | AudienceChange;

interface CommonFields<Kind extends string> {
  /** Never changes: use it as an idempotency key. Equal to the event's id for `event_recorded`. */
  id: string;
  /** The position after the change, for `after` of `subscriptions.changes`. Valid for every subscription of the workspace. */
  cursor: string;
  /** Narrows the change in a `switch`. */
  kind: Kind;
  /** The time of the call that caused the change, ISO 8601 in UTC. The order of the changes is that of their commits. */
  at: string;
}

interface OfContact {
  contact: ChangedContact;
}

/** The contact of a change. */
export interface ChangedContact {
  id: string;
  email: string;
  externalId: string;
}

/** A contact was created or updated. */
export interface ContactChange extends CommonFields<"contact_created" | "contact_updated">, OfContact {
  /**
   * The fields that the write changed, by name; attributes as `customAttributes.key`. A field is `null` if all of them together
   * have more than 64 KiB as JSON.
   */
  changed: Record<string, FieldChange | null>;
}

/** The values of a field, or of an attribute. `null` where it was not set. */
export interface FieldChange {
  before: Scalar | null;
  after: Scalar | null;
}

/** A contact was deleted. All its other changes were removed at the same time. */
export interface DeletionChange extends CommonFields<"contact_deleted"> {
  /** `externalId` is the contact's own; `null` if it had none. */
  contact: { id: string; externalId: string | null };
}

/** An event was recorded. */
export interface EventChange extends CommonFields<"event_recorded">, OfContact {
  /** `properties` is `null` after the event was pruned. */
  event: Omit<StoredEvent, "properties"> & { properties: Record<string, Scalar> | null };
}

/** The contact completed an item of a checklist, by an event or by hand. */
export interface ItemChange extends CommonFields<"item_completed">, OfContact {
  item: CompletedChecklistItem;
}

/** The contact completed the last open item of a checklist. */
export interface ChecklistChange extends CommonFields<"checklist_completed">, OfContact {
  checklistKey: string;
}

/**
 * The contact became a member of an audience, or is no longer one. A contact's entries into an audience and exits from it alternate,
 * unless the rule was defined anew or a write had `notify: false`. A short stay in an audience may cause no change.
 */
export interface AudienceChange extends CommonFields<"audience_entered" | "audience_left">, OfContact {
  audienceKey: string;
  /** `true` if the first pass of a subscription with `current: "announce"` found the contact in the audience; otherwise absent. */
  current?: true;
}
