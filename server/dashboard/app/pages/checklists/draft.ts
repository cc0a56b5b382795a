import { numberOf } from "../../numbers.ts";
import type { ChecklistDefinition, ChecklistItem } from "../../../../../lib/model/types.ts";

/** A checklist as one types it. */
export interface ChecklistDraft {
  key: string;
  name: string;
  description: string;
  items: readonly ItemDraft[];
}

export interface ItemDraft {
  /** Tells the rows apart, also those that were kept when the page was loaded again. */
  id: number;
  key: string;
  name: string;
  description: string;
  href: string;
  /** The way in which it is completed. */
  kind: "by_hand" | NonNullable<ChecklistItem["when"]>["kind"];
  eventKey: string;
  count: string;
}

export function newItem(): ItemDraft {
  return {
    id: Math.random(),
    key: "",
    name: "",
    description: "",
    href: "",
    kind: "has_done",
    eventKey: "",
    count: "1",
  };
}

export function draftOf(checklist: ChecklistDefinition | null): ChecklistDraft {
  const { key = "", name = "", description = "", items = [] } = checklist ?? {};
  return { key, name, description, items: checklist ? items.map(itemDraftOf) : [newItem()] };
}

function itemDraftOf({ key, name, description = "", href = "", when }: ChecklistItem): ItemDraft {
  const item = { ...newItem(), key, name, description, href };
  if (!when) return { ...item, kind: "by_hand" };
  const { kind, eventKey } = when;
  return { ...item, kind, eventKey, count: kind === "count_greater_than" ? String(when.count) : "1" };
}

export function definitionOf({ key, name, description, items }: ChecklistDraft): ChecklistDefinition {
  return { key, name, ...(description !== "" && { description }), items: items.map(itemOf) };
}

function itemOf(item: ItemDraft): ChecklistItem {
  const { key, name, description, href } = item;
  return { key, name, ...(description !== "" && { description }), ...(href !== "" && { href }), when: whenOf(item) };
}

function whenOf({ kind, eventKey, count }: ItemDraft): ChecklistItem["when"] {
  if (kind === "by_hand") return undefined;
  return kind === "has_done" ? { kind, eventKey } : { kind, eventKey, count: numberOf(count) as number };
}

/** The items completed by hand that the draft removes. Their completions will not be shown any more. */
export function lostItems(before: ChecklistDefinition | null, { items }: ChecklistDraft): ChecklistItem[] {
  const kept = new Set(items.map(({ key }) => key));
  return before?.items.filter(({ key, when }) => !when && !kept.has(key)) ?? [];
}

/** The items, with the one at `index` moved up (-1) or down (1). */
export function moved(items: readonly ItemDraft[], index: number, by: -1 | 1): ItemDraft[] {
  const others = items.filter((_, at) => at !== index);
  // The buttons of the first and the last item do not lead out of the list.
  others.splice(index + by, 0, items[index]!);
  return others;
}
