/** The rows of watched audiences, and of the subscriptions that name them. */
import type { ChecklistItem, Rule, SubscribedTopics } from "../model/types.ts";

/** With `own`, the subscription's id: it takes the audience changes of its own watches alone. */
export interface StoredTopics extends SubscribedTopics {
  own?: string;
}

/** The definition of a subscription. `putDefinition` of `lib/decisions` sets `on.own` and `announced`. */
export interface SubscriptionBody {
  on: StoredTopics;
  /** The default if none was given. */
  keepDays: number;
  current?: "announce";
  /** The audiences that earlier definitions announced. */
  announced?: readonly string[];
}

/** The rule of an audience, and the parts of the named definitions that decide who fulfils it. */
export interface WatchedRule {
  rule: Rule;
  attributes: readonly { key: string; id: string }[];
  checklists: readonly { key: string; id: string; items: readonly Pick<ChecklistItem, "key" | "when">[] }[];
  /** The id of the subscription that alone takes the changes of this watch. Absent if all others that name the audience share it. */
  own?: string;
  /** Whether the first pass announces the members that it finds. */
  announces?: true;
}

/** An audience that a subscription names. */
export interface WatchRow {
  /** Changes whenever the first pass begins anew. */
  id: string;
  workspace: string;
  audienceKey: string;
  watched: WatchedRule;
  /** The time at which the rule is evaluated. Never goes back. */
  clock: number;
  /** The id up to which the first pass, or the sweep after it, has reached the contacts (`positionAt`); `null` before and after. */
  position: string | null;
  /** When the first pass had reached all contacts, by the storage's clock; `null` before. */
  readyAt: number | null;
  /** The last step of a sweep that included the watch, by the storage's clock; 0 before the first. */
  sweptAt: number;
}
