/** Structs of the rules that complete checklist items. */
import { simpleRulesPerRuleMax } from "../model/limits.ts";
import type { ChecklistItem, LastingRule, SimpleRule } from "../model/types.ts";
import { wholeNumber } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { copiedRule, noRule } from "./rules.ts";
import { choice, chosen, leaf, leftOut, listOf, shape, type Input } from "./shapes.ts";

type When = NonNullable<ChecklistItem["when"]>;

const canTurnFalse: readonly unknown[] = ["field", "attribute", "checklist_completed"] satisfies SimpleRule["kind"][];

const noWhenStruct = noRule(
  leaf("has_done or count_greater_than", (kind) =>
    canTurnFalse.includes(kind) ? "can_turn_false" : typeof kind === "string" ? "invalid_format" : "wrong_type",
  ),
);

const fields = {
  eventKey: eventKeyStruct,
  period: leftOut("can_turn_false", "Must be left out: such a rule can turn false again; an item stays completed."),
};

const doneStruct = shape<Exclude<LastingRule, { count: number }>>({ kind: chosen("has_done"), ...fields });
const countedStruct = shape<Extract<LastingRule, { count: number }>>({
  kind: chosen("count_greater_than"),
  ...fields,
  count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
});

export const lastingStruct: Input<LastingRule> = choice([doneStruct, countedStruct], ({ kind }) =>
  kind === "has_done" ? doneStruct : kind === "count_greater_than" ? countedStruct : noWhenStruct,
);

const anyStruct = shape<{ any: readonly LastingRule[] }>({
  any: listOf(lastingStruct, { countMin: 1, countMax: simpleRulesPerRuleMax }),
});

/** The rule of a checklist item. Accepts only kinds that stay true once they are true. */
export const whenStruct: Input<When> = copiedRule(
  choice<When>([lastingStruct, anyStruct], (given) =>
    given["kind"] === undefined && given["any"] !== undefined ? anyStruct : lastingStruct,
  ),
);
