/** Validates and copies targeting rules. */
import { Struct, type Context } from "superstruct";
import type { Rule, SimpleRule, Period } from "../model/types.ts";
import { countRuleStructs, normalizeCountRule, whereStruct } from "./count-rules.ts";
import { oneOf } from "./fields.ts";
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
import { isCountRule, mapSimpleRules, simpleRules } from "../model/rules.ts";

/** Copies a valid rule into the form that is stored and answered: its times are texts. */
export function normalizeRule(rule: Rule): Rule {
  return mapSimpleRules(rule, (part) => {
    if (isCountRule(part)) return normalizeCountRule(part);
    return "period" in part ? { ...part, period: normalizePeriod(part.period) } : normalizeOperand(part);
  });
}

type RuleOf<Kind extends SimpleRule["kind"]> = Extract<SimpleRule, { kind: Kind }>;

const kindStruct = <Kind extends SimpleRule["kind"]>(): Struct<Kind, null> => leaf("kind", () => null);

const simple = {
  ...countRuleStructs,
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
export function kindAmong(kinds: readonly string[]): Struct<{ kind: string }, null> {
  return shape("Rule", { kind: oneOf(kinds) });
}

const noRuleStruct = kindAmong(Object.keys(simple));

/** Reports only the first failure: for a rule of unknown kind, no other field can be checked. */
export function kindFailure(struct: Struct<{ kind: string }, null>, value: unknown, context: Context): Failure[] {
  return failuresOf(struct, value, context).slice(0, 1);
}

const anythingStruct = leaf<unknown>("anything", () => null);

/** Stands for a rule with too many parts. Copying a rule that contains itself several times would take half a minute. */
export const tooLarge: unique symbol = Symbol("too large");

/** Nested structs get the same context object, so it can count the parts of a rule. */
interface CountingContext extends Context {
  partsLeft: number;
}

function counted(copy: Struct["coercer"]): Struct["coercer"] {
  return (value, context) => ((context as CountingContext).partsLeft-- > 0 ? copy(value, context) : tooLarge);
}

export function copyRule(value: unknown, context: Context): unknown {
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
interface Fields extends Record<(typeof scalarFields)[number] | "value" | "where", unknown> {
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
    where: whereStruct as Struct<unknown, null>,
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

export const tooManyRules: { message: string; explanation: string } = {
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
