/** Validates and copies targeting rules. */
import { Struct, type Context } from "superstruct";
import type { ChecklistItem, Rule, SimpleRule, Period } from "../model/types.ts";
import { oneOf, wholeNumber } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { operandsPerRuleMaxBytes, ruleDepthMax, rulePartsMax, simpleRulesPerRuleMax } from "../model/limits.ts";
import {
  attributeRuleStruct,
  checklistRuleStruct,
  fieldRuleStruct,
  normalizeOperand,
  operandBytes,
  operandCopyStruct,
} from "./contact-rules.ts";
import { normalizePeriod, periodStruct } from "./periods.ts";
import { failuresOf, leaf, listOf, problem, shape, type Failure } from "./shapes.ts";
import { mapSimpleRules, simpleRules } from "../model/rules.ts";

/** Copies a valid rule into the form that is stored and answered: its times are texts. */
export function normalizeRule(rule: Rule): Rule {
  return mapSimpleRules(rule, (part) =>
    "period" in part ? { ...part, period: normalizePeriod(part.period) } : normalizeOperand(part),
  );
}

type RuleOf<Kind extends SimpleRule["kind"]> = Extract<SimpleRule, { kind: Kind }>;

const kindStruct = <Kind extends SimpleRule["kind"]>(): Struct<Kind, null> => leaf("kind", () => null);
const countStruct = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const simple = {
  has_done: shape<RuleOf<"has_done">>("Rule", { kind: kindStruct(), eventKey: eventKeyStruct }),
  has_not_done: shape<RuleOf<"has_not_done">>("Rule", { kind: kindStruct(), eventKey: eventKeyStruct }),
  count_greater_than: shape<RuleOf<"count_greater_than">>("Rule", {
    kind: kindStruct(),
    eventKey: eventKeyStruct,
    count: countStruct,
  }),
  first_done_within: shape<RuleOf<"first_done_within">>("Rule", {
    kind: kindStruct(),
    eventKey: eventKeyStruct,
    period: periodStruct,
  }),
  last_done_within: shape<RuleOf<"last_done_within">>("Rule", {
    kind: kindStruct(),
    eventKey: eventKeyStruct,
    period: periodStruct,
  }),
  field: fieldRuleStruct,
  attribute: attributeRuleStruct,
  checklist_completed: checklistRuleStruct,
};

/** A struct that accepts no rule: it reports that the rule's kind is not among the given ones. */
function kindAmong(kinds: readonly string[]): Struct<{ kind: string }, null> {
  return shape("Rule", { kind: oneOf(kinds) });
}

const noRuleStruct = kindAmong(Object.keys(simple));
const noWhenStruct = kindAmong(["has_done", "count_greater_than"]);

/** Reports only the first failure: for a rule of unknown kind, no other field can be checked. */
function kindFailure(struct: Struct<{ kind: string }, null>, value: unknown, context: Context): Failure[] {
  return failuresOf(struct, value, context).slice(0, 1);
}

const anythingStruct = leaf<unknown>("anything", () => null);

/** Stands for a rule with too many parts. Copying a rule that contains itself several times would take half a minute. */
const tooLarge = Symbol("too large");

/** Nested structs get the same context object, so it can count the parts of a rule. */
interface CountingContext extends Context {
  partsLeft: number;
}

function counted(copy: Struct["coercer"]): Struct["coercer"] {
  return (value, context) => ((context as CountingContext).partsLeft-- > 0 ? copy(value, context) : tooLarge);
}

function copyRule(value: unknown, context: Context): unknown {
  const counting: CountingContext = { ...context, partsLeft: rulePartsMax };
  const copy: unknown = nestedStruct.coercer(value, counting);
  return counting.partsLeft < 0 ? tooLarge : copy;
}

const tooDeepStruct = new Struct<Rule, null>({
  type: "Rule",
  schema: null,
  coercer: counted((value) => value),
  validator: leaf("Rule", () => problem("too_long", `Too long: groups nest at most ${ruleDepthMax} deep.`)).validator,
});

const scalarFields = ["kind", "eventKey", "count", "field", "key", "operator", "checklistKey"] as const;
const copiedScalars = Object.fromEntries(scalarFields.map((name) => [name, anythingStruct])) as Record<
  (typeof scalarFields)[number],
  Struct<unknown, null>
>;

/** The fields of every kind of rule and group. They are copied before the kind is known. */
interface Fields extends Record<(typeof scalarFields)[number] | "value", unknown> {
  period: Period;
  all: Rule[];
  any: Rule[];
  not: Rule;
}

/** Makes one struct per depth, so that a rule which contains itself is refused without endless recursion. */
function ruleAt(depth: number): Struct<Rule, null> {
  const inner = depth < ruleDepthMax ? ruleAt(depth + 1) : tooDeepStruct;
  const rules = listOf("rules", inner, { countMin: 1, countMax: rulePartsMax });
  const groups = {
    all: shape<{ all: Rule[] }>("Rule", { all: rules }),
    any: shape<{ any: Rule[] }>("Rule", { any: rules }),
    not: shape<{ not: Rule }>("Rule", { not: inner }),
  };
  const fields = {
    ...copiedScalars,
    value: operandCopyStruct,
    period: periodStruct,
    all: rules,
    any: rules,
    not: inner,
  };
  return new Struct<Rule, null>({
    type: "Rule",
    schema: null,
    coercer: counted(shape<Fields>("Rule", fields).coercer),
    validator(value, context) {
      const given = Object(value) as Record<string, unknown>;
      if (typeof given["kind"] === "string" && Object.hasOwn(simple, given["kind"])) {
        return simple[given["kind"] as SimpleRule["kind"]].validator(value, context);
      }
      const group = (["all", "any", "not"] as const).find((name) => given[name] !== undefined);
      if (given["kind"] === undefined && group) return groups[group].validator(value, context);
      return kindFailure(noRuleStruct, value, context);
    },
  });
}

const nestedStruct = ruleAt(1);

const tooManyRules = {
  message: "too_long",
  explanation: `Too long: at most ${simpleRulesPerRuleMax} rules that are no groups.`,
};

const tooLargeOperands = {
  message: "too_long",
  explanation: `Too long: at most ${operandsPerRuleMaxBytes} bytes of values, as JSON.`,
};

export const ruleStruct: Struct<Rule, null> = new Struct<Rule, null>({
  type: "Rule",
  schema: null,
  coercer: copyRule,
  validator(value, context) {
    if (value === tooLarge) return tooManyRules;
    const failures = failuresOf(nestedStruct, value, context);
    if (failures.length > 0) return failures;
    const parts = simpleRules(value as Rule);
    if (parts.length > simpleRulesPerRuleMax) return tooManyRules;
    return operandBytes(parts) <= operandsPerRuleMaxBytes || tooLargeOperands;
  },
});

const canTurnFalse = ["field", "attribute", "checklist_completed"] satisfies SimpleRule["kind"][];

type When = NonNullable<ChecklistItem["when"]>;

/** The rule of a checklist item. Only kinds that stay true once they are true. */
export const whenStruct: Struct<When, null> = new Struct<When, null>({
  type: "When",
  schema: null,
  coercer: copyRule,
  validator(value, context) {
    if (value === tooLarge) return tooManyRules;
    const { kind } = Object(value) as { kind: unknown };
    if (kind === "has_done" || kind === "count_greater_than") return simple[kind].validator(value, context);
    if (canTurnFalse.some((name) => name === kind)) return [{ path: ["kind"], message: "can_turn_false" }];
    return kindFailure(noWhenStruct, value, context);
  },
});
