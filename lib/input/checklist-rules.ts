/** Structs of the rules that complete checklist items. */
import { Struct } from "superstruct";
import { simpleRulesPerRuleMax } from "../model/limits.ts";
import type { ChecklistItem, LastingRule, SimpleRule } from "../model/types.ts";
import { wholeNumber } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { copyRule, kindAmong, kindFailure, tooLarge, tooManyRules } from "./rules.ts";
import { leaf, leftOut, listOf, shape } from "./shapes.ts";

type When = NonNullable<ChecklistItem["when"]>;

const noWhenStruct = kindAmong(["has_done", "count_greater_than"]);
const canTurnFalse = ["field", "attribute", "checklist_completed"] satisfies SimpleRule["kind"][];

const kindStruct = <Kind extends LastingRule["kind"]>(): Struct<Kind, null> => leaf("kind", () => null);

const fields = {
  eventKey: eventKeyStruct,
  period: leftOut("can_turn_false", "Must be left out: such a rule can turn false again; an item stays completed."),
};

const lasting = {
  has_done: shape<Exclude<LastingRule, { count: number }>>("Rule", { kind: kindStruct(), ...fields }),
  count_greater_than: shape<Extract<LastingRule, { count: number }>>("Rule", {
    kind: kindStruct(),
    ...fields,
    count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
};

const lastingStruct: Struct<LastingRule, null> = new Struct<LastingRule, null>({
  type: "When",
  schema: null,
  validator(value, context) {
    const { kind } = Object(value) as { kind: unknown };
    if (kind === "has_done" || kind === "count_greater_than") return lasting[kind].validator(value, context);
    if (canTurnFalse.some((name) => name === kind)) return [{ path: ["kind"], message: "can_turn_false" }];
    return kindFailure(noWhenStruct, value, context);
  },
});

const anyStruct = shape<{ any: LastingRule[] }>("When", {
  any: listOf("rules", lastingStruct, { countMin: 1, countMax: simpleRulesPerRuleMax }),
});

/** The rule of a checklist item. Only kinds that stay true once they are true. */
export const whenStruct: Struct<When, null> = new Struct<When, null>({
  type: "When",
  schema: null,
  coercer: copyRule,
  validator(value, context) {
    if (value === tooLarge) return tooManyRules;
    const given = Object(value) as Record<string, unknown>;
    const isGroup = given["kind"] === undefined && given["any"] !== undefined;
    return (isGroup ? anyStruct : lastingStruct).validator(value, context);
  },
});
