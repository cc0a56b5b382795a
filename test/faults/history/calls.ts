/** The calls that workers make, as their logs hold them. */

/** The fields that a write sets. Each value of the first four is the write's own tag, so that a value names its write. */
export interface Fields {
  name?: string;
  plan?: string;
  role?: string;
  /** A custom attribute. */
  mark?: string;
  email?: string;
  externalId?: string | null;
}

interface OfContact {
  /** The number of the contact. All its names contain it. */
  slot: number;
  /** The externalId or email that the call names the contact by. */
  name: string;
}

/** One write or read of one contact. */
export type Step = OfContact &
  (
    | { do: "upsert" | "put" | "update"; fields: Fields }
    | { do: "delete" | "get" }
    | { do: "track"; eventKey: string; tag: string; idempotencyKey?: string; createdAt?: string; isFirst?: boolean }
  );

/** Whether the step may create its contact. That of a first event is upserted before the event is recorded. */
export function upserts(step: Step): boolean {
  return step.do === "upsert" || step.do === "put" || (step.do === "track" && step.isFirst === true);
}

/** The fields that the step writes; `null` if it writes none. A put also writes the externalId that it names. */
export function fieldsOf(step: Step): Fields | null {
  if (step.do === "put") return { ...step.fields, externalId: step.name };
  return step.do === "upsert" || step.do === "update" ? step.fields : null;
}

/** A step of one kind. */
export type StepOf<Kind extends Step["do"]> = Step & { do: Kind };

/** How the steps are run. The steps of a `pair` are called at once, in this order. */
export type CallKind =
  "one" | "pair" | "many" | "import" | "transaction" | "within" | "prune" | "apiKey" | "other" | "deleteWorkspace";

export interface Call {
  do: CallKind;
  steps: Step[];
  /** One of `workspaces`; `default` if it is left out. */
  workspace?: string;
  /** In a transaction: a row in a table of the test's own. */
  own?: { id: string; /** The step before which the row is inserted. */ at: number };
  isolation?: string;
  /** How long a caller's transaction stays open after its last step. */
  pauseMs?: number;
  /** Whether a transaction passes its steps as one array. */
  isArray?: boolean;
  /** The contact whose item a transaction completes by hand after its steps. */
  completes?: string;
  /** Whether a `many` writes with `notify: false`, as each import does. */
  isQuiet?: boolean;
  /** Whether the transaction's function throws, or its caller rolls back, after the last step. */
  givesUp?: boolean;
  /** Whether a transaction's function catches what its calls reject with. An import of this kind is run twice. */
  goesOn?: boolean;
  before?: string;
  /** The method that an `other` calls, and the contact. */
  method?: string;
  name?: string;
}

export interface ShownContact {
  id: string;
  email: string;
  externalId: string;
  name: string | null;
  plan: string | null;
  role: string | null;
  mark: string | null;
}

/** What a step was answered, as far as it is checked. */
export interface StepAnswer {
  contact?: ShownContact | null;
  created?: boolean;
  deleted?: string;
  event?: {
    id: string;
    contactId: string;
    eventKey: string;
    createdAt: string;
    /** The checklist items that it completed. */
    items: string[];
    replayed: boolean;
  };
}

/** The codes of a call that has changed nothing. */
export const refusals: readonly string[] = [
  "contact_not_found",
  "email_taken",
  "external_id_taken",
  "ambiguous_identifier",
  "idempotency_key_reused",
  "invalid_input",
  "workspace_deleted",
];

/** These are deleted again and again. Their contacts have the names of those of `default`. */
export const workspaces: readonly string[] = ["w0", "w1", "w2"];
/** The ids of their last deletions begin so. */
export const emptying = "empty";

export const slots = 8;
/** Contacts of the other slots live through the round, and each of their changes is in the log at the end. */
export const deletedSlots = 4;

/** The names that the contacts of a slot have, the first the most often. */
export function namesOf(slot: number): { emails: [string, string]; externalIds: [string, string] } {
  return {
    emails: [`s${slot}.a@example.com`, `s${slot}.b@example.com`],
    externalIds: [`s${slot}.x`, `s${slot}.y`],
  };
}

/** Each of the first 40 events of this key completes an item, which tells the event's place among them. */
export const countedKey = "counted";
export const countedItems = 40;
export const eventKeys: readonly string[] = [countedKey, "plain", "other"];
/** The key of the events that are there before the calls begin, and are pruned. */
export const pastKey = "past";
export const pastStart: number = Date.UTC(2020, 0, 1);
export const pastMs = 86_400_000;
