/** The rows of the change log. */
import type { CompletedChecklistItem, Scalar } from "../model/types.ts";
import type { ContactFields, EventRow } from "./rows.ts";

interface Common<Kind> {
  kind: Kind;
  id: string;
  at: number;
}

/** The contact at the commit: `externalId` is the effective one. */
interface OfContact {
  contact: { id: string; email: string; externalId: string };
}

/** A change to be written, in the transaction of the write that causes it. */
export type ChangeDraft =
  | (Common<"event_recorded"> & OfContact & { event: Pick<EventRow, "eventKey" | "createdAt"> })
  | (Common<"contact_created" | "contact_updated"> & OfContact & { changed: ChangedValues })
  | (Common<"contact_deleted"> & { contact: { id: string; externalId: string | null } })
  | (Common<"item_completed"> & OfContact & { item: CompletedChecklistItem })
  | (Common<"checklist_completed"> & OfContact & { checklistKey: string })
  | (Common<"audience_entered" | "audience_left"> & OfContact & OfAudience);

/** With `own`, a change of the own watch of this subscription. `current` if the first pass announces a member that it finds. */
interface OfAudience {
  audienceKey: string;
  own?: string;
  current?: true;
}

/** The values of a field before and after a write. A field without values was changed by a write of too many bytes. */
export type ChangedValue = { before: Scalar | null; after: Scalar | null } | null;

/** The fields that a write changed. `fields.externalId` is the effective one; `attributes` are by the ids of their definitions. */
export interface ChangedValues {
  fields: { [Field in keyof ContactFields]?: ChangedValue };
  attributes: Record<string, ChangedValue>;
}

/** A change in the log. */
export type ChangeRow = ChangeDraft & {
  /** Grows along the log. */
  position: number;
  /** The JSON text of the event's properties; `null` for other kinds, and if the event was removed. */
  properties: string | null;
};

/** A reader of the changes of the subscription `key`, or a consumer. */
export interface ChangeReader {
  workspace: string;
  key: string;
  /** The position up to which it has read. */
  after: number;
  /** Given by a consumer, from the `place` of the last `takeChanges`. */
  slotState?: string | null;
}

/** The next change of a reader: whether there is one, and a position that it comes after. */
export interface NextChange {
  found: boolean;
  position: number;
}

/** The work that a process can do now. */
export interface FoundWork {
  /** In the order of the readers. */
  next: NextChange[];
  /** Whether changes wait to be logged. */
  isUnlogged: boolean;
  /** Whether `beginWatches` may have something to do. */
  isUnready: boolean;
  /** Whether any workspace has a subscription. */
  isUsed: boolean;
}
