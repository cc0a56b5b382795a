/** The rules of watched audiences, and the definitions that some of them name. */
import { checklistDraft, definitionDraft } from "../../adapters/storage-contract/drafts.ts";
import type { PeriodOfTime, Rule } from "../../lib/model/types.ts";
import type { AttributeRow, ChecklistRow } from "../../lib/storage/rows.ts";

const withinDays = (eventKey: string, days: number): Rule => ({
  kind: "last_done_within",
  eventKey,
  period: { days },
});
const moreThan = (eventKey: string, count: number) => ({ kind: "count_greater_than", eventKey, count }) as const;
const totalAbove = (value: number) => [{ property: "total", operator: "greater_than", value }] as const;
const isPaid = [{ property: "paid", operator: "is_set", value: true }] as const;
const isPro: Rule = { kind: "field", field: "plan", operator: "equals", value: "pro" };
const isCompleted: Rule = { kind: "checklist_completed", checklistKey: "start" };

const trialEnds = (value: PeriodOfTime): Rule => ({ kind: "attribute", key: "trialEnds", operator: "within", value });

export const rules: readonly Rule[] = [
  { kind: "has_done", eventKey: "a" },
  withinDays("a", 2),
  { all: [{ kind: "has_done", eventKey: "a" }, { not: withinDays("a", 1) }] },
  isPro,
  { any: [moreThan("b", 2), withinDays("b", 1)] },
  { all: [{ kind: "has_not_done", eventKey: "b" }, { not: withinDays("a", 1) }] },
  { kind: "field", field: "createdAt", operator: "within", value: { days: 2 } },
  { kind: "has_done", eventKey: "a", period: { days: 2 } },
  { kind: "has_not_done", eventKey: "b", period: { days: 1 }, where: totalAbove(40) },
  { ...moreThan("a", 1), period: { days: 2 }, where: totalAbove(20) },
  { all: [{ kind: "has_done", eventKey: "b", period: { days: 2 }, where: isPaid }, isPro] },
  isCompleted,
  { any: [{ not: isCompleted }, withinDays("b", 1)] },
  trialEnds({ next: { days: 2 } }),
  { all: [trialEnds({ ago: { hours: 12 } }), { not: isPro }] },
  { kind: "last_done_within", eventKey: "a", period: { ago: { days: 1 } } },
];

/** `rules` name these by their keys. */
export const attribute: AttributeRow = definitionDraft({ key: "trialEnds", type: "date" });

export const checklist: ChecklistRow = checklistDraft({
  items: [
    { key: "either", name: "Either", when: { any: [moreThan("c", 0), moreThan("b", 2)] } },
    { key: "twice", name: "Twice", when: moreThan("a", 1) },
    { key: "hand", name: "By hand" },
  ],
});
