import { numberOf } from "../../numbers.ts";
import type { ChecklistDefinition, ChecklistItem, LastingRule } from "../../../../../lib/model/types.ts";

/** A checklist as one types it. */
export interface ChecklistDraft {
  key: string;
  name: string;
  description: string;
  items: readonly ItemDraft[];
}

export interface ItemDraft {
  /** Differs from the ids of all other rows, also of rows that were kept over a reload. */
  id: number;
  key: string;
  name: string;
  description: string;
  href: string;
  /** Each of the rules completes the item. Without a rule, the item is completed by hand. */
  rules: readonly RuleDraft[];
}

export interface RuleDraft {
  kind: LastingRule["kind"];
  eventKey: string;
  count: string;
}

export const newRule: RuleDraft = { kind: "has_done", eventKey: "", count: "1" };

export function newItem(): ItemDraft {
  return { id: Math.random(), key: "", name: "", description: "", href: "", rules: [newRule] };
}

export function draftOf(checklist: ChecklistDefinition | null): ChecklistDraft {
  const { key = "", name = "", description = "", items = [] } = checklist ?? {};
  return { key, name, description, items: checklist ? items.map(itemDraftOf) : [newItem()] };
}

function itemDraftOf({ key, name, description = "", href = "", when }: ChecklistItem): ItemDraft {
  const rules = when ? ("any" in when ? when.any : [when]) : [];
  return { ...newItem(), key, name, description, href, rules: rules.map(ruleDraftOf) };
}

function ruleDraftOf(rule: LastingRule): RuleDraft {
  const { kind, eventKey } = rule;
  return { kind, eventKey, count: kind === "count_greater_than" ? String(rule.count) : "1" };
}

export function definitionOf({ key, name, description, items }: ChecklistDraft): ChecklistDefinition {
  return { key, name, ...(description !== "" && { description }), items: items.map(itemOf) };
}

function itemOf(item: ItemDraft): ChecklistItem {
  const { key, name, description, href } = item;
  return { key, name, ...(description !== "" && { description }), ...(href !== "" && { href }), when: whenOf(item) };
}

function whenOf({ rules }: ItemDraft): ChecklistItem["when"] {
  return rules.length > 1 ? { any: rules.map(ruleOf) } : rules.map(ruleOf)[0];
}

function ruleOf({ kind, eventKey, count }: RuleDraft): LastingRule {
  return kind === "has_done" ? { kind, eventKey } : { kind, eventKey, count: numberOf(count) as number };
}

/** The path of a rule of the item in the server's issues. */
export function pathOfRule({ rules }: ItemDraft, path: string, index: number): string {
  return rules.length > 1 ? `${path}.when.any.${index}` : `${path}.when`;
}

/** The items completed by hand that the draft removes. Their completions will not be shown any more. */
export function lostItems(before: ChecklistDefinition | null, { items }: ChecklistDraft): ChecklistItem[] {
  const kept = new Set(items.map(({ key }) => key));
  return before?.items.filter(({ key, when }) => !when && !kept.has(key)) ?? [];
}

/** The items, with the one at `index` moved up (-1) or down (1). */
export function moved(items: readonly ItemDraft[], index: number, by: -1 | 1): ItemDraft[] {
  const others = items.filter((_, at) => at !== index);
  // The new index is in the list: the first item cannot move up, and the last cannot move down.
  others.splice(index + by, 0, items[index]!);
  return others;
}
