/** The rows of watched audiences. */
import type { ChecklistItem, Rule } from "../model/types.ts";

/** The rule of an audience, and the parts of the named definitions that decide who fulfils it. */
export interface WatchedRule {
  rule: Rule;
  attributes: readonly { key: string; id: string }[];
  checklists: readonly { key: string; id: string; items: readonly Pick<ChecklistItem, "key" | "when">[] }[];
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
