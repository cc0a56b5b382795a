/** The part of the storage port about definitions of all five kinds, and its rows. */
import type { PropertyType } from "../model/declarations.ts";
import type { AttributeType, ChecklistItem, Rule, SubscribedTopics } from "../model/types.ts";
import type { Refused } from "./results.ts";

/** The methods for definitions. */
export interface DefinitionStorage {
  /**
   * Creates the definition, or updates the one with the same kind and key: an attribute's name, the whole body of the other
   * kinds. An updated definition keeps its id and `createdAt`. Resolves with the stored row. Writes that this storage begins
   * afterwards know a new subscription; those of other processes know it after some seconds (`subscriptionStartMs`). Refusals: `attribute_conflict`, and
   * `invalid_input` if the rule of an audience does not fit the attributes and checklists that are defined (`refusalOfAudience`).
   * `invalid_input` also if a subscription names an audience that is not defined (`refusalOfSubscription`).
   */
  putDefinition(draft: DefinitionRow): Promise<DefinitionRow | Refused>;

  /**
   * The definitions of one kind, in order of `createdAt`, then id. They include the writes of this storage. Writes of other
   * processes to the same data may be missing for some seconds, or at most for `maxAgeMs`.
   */
  listDefinitions<Kind extends DefinitionRow["kind"]>(
    workspace: string,
    kind: Kind,
    options?: { maxAgeMs: number },
  ): Promise<DefinitionOf<Kind>[]>;

  /**
   * Resolves with `false` if there is no such definition. Refusal: `definition_in_use` if an audience or a subscription names it
   * (`refusalOfDeletion`). If such a definition is put at the same time, one of the two calls is refused.
   */
  deleteDefinition(workspace: string, kind: DefinitionRow["kind"], key: string): Promise<boolean | Refused>;
}

interface Definition<Kind extends string, Body> {
  workspace: string;
  kind: Kind;
  key: string;
  id: string;
  body: Body;
  createdAt: number;
}

/** In a draft, `name: undefined` keeps the stored name. */
export type AttributeRow = Definition<"attribute", { type: AttributeType; name: string | null | undefined }>;

/** The times in the rule are ISO 8601 texts. `announce` is in drafts alone: it is not stored. */
export type AudienceRow = Definition<"audience", { name: string; rule: Rule; announce?: true }>;

/** An item without `when` is completed by hand. */
export type ChecklistRow = Definition<
  "checklist",
  { name: string; description?: string; items: readonly ChecklistItem[] }
>;

/** Without `properties`, events of the key have any properties. */
export type EventTypeRow = Definition<
  "event",
  { name: string | null; properties?: Readonly<Record<string, PropertyType>> }
>;

/** `own` is the id of a subscription that takes only the audience changes of its own watches. */
export interface StoredTopics extends SubscribedTopics {
  own?: string;
}

/** The definition of a subscription. `putDefinition` of `lib/decisions` sets `on.own` and `announced`. */
export interface SubscriptionBody {
  on: StoredTopics;
  /** The default if none was given. */
  keepDays: number;
  current?: "announce";
  /** Set if the subscription is a webhook. */
  url?: string;
  /** The default if none was given. Set with `url`. */
  concurrency?: number;
  /** The audiences that earlier definitions announced. */
  announced?: readonly string[];
}

/** The changes that a reader or a consumer takes. */
export type SubscriptionRow = Definition<"subscription", SubscriptionBody>;

/** A stored definition. */
export type DefinitionRow = AttributeRow | AudienceRow | ChecklistRow | EventTypeRow | SubscriptionRow;

/** The definition rows of one kind. */
export type DefinitionOf<Kind extends DefinitionRow["kind"]> = Extract<DefinitionRow, { kind: Kind }>;
