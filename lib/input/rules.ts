/** Validates and copies targeting rules. */
import type { Context, Struct } from "superstruct";
import type { Rule, SimpleRule } from "../model/types.ts";
import { countRuleStructs, normalizeCountRule, whereStruct } from "./count-rules.ts";
import { oneOf } from "./fields.ts";
import { eventKeyStruct } from "./identifiers.ts";
import { operandsPerRuleMaxBytes, ruleDepthMax, rulePartsMax, simpleRulesPerRuleMax } from "../model/limits.ts";
import {
  anythingStruct,
  attributeRuleStruct,
  checklistRuleStruct,
  fieldRuleStruct,
  normalizeOperand,
  operandBytes,
  operandCopyStruct,
} from "./contact-rules.ts";
import { normalizePeriod, periodStruct } from "./periods.ts";
import { problem, type Failure } from "./problems.ts";
import { choice, chosen, leaf, listOf, refined, shape, structOf, type Described, type Input } from "./shapes.ts";
import { isCountRule, mapSimpleRules, simpleRules } from "../model/rules.ts";

/** Copies a valid rule into the form that is stored and answered: its times are texts. */
export function normalizeRule(rule: Rule): Rule {
  return mapSimpleRules(rule, (part) => {
    if (isCountRule(part)) return normalizeCountRule(part);
    return "period" in part ? { ...part, period: normalizePeriod(part.period) } : normalizeOperand(part);
  });
}

type RuleOf<Kind extends SimpleRule["kind"]> = Extract<SimpleRule, { kind: Kind }>;

/** The structs of rules by their kinds. */
export const simpleRuleStructs: { [Kind in SimpleRule["kind"]]: Input<RuleOf<Kind>> } = {
  ...countRuleStructs,
  first_done_within: shape<RuleOf<"first_done_within">>({
    kind: chosen("first_done_within"),
    eventKey: eventKeyStruct,
    period: periodStruct,
  }),
  last_done_within: shape<RuleOf<"last_done_within">>({
    kind: chosen("last_done_within"),
    eventKey: eventKeyStruct,
    period: periodStruct,
  }),
  field: fieldRuleStruct,
  attribute: attributeRuleStruct,
  checklist_completed: checklistRuleStruct,
};

/** Refuses every rule, since `kind` accepts none of its kinds. For a rule of unknown kind, no other field can be checked. */
export function noRule(kind: Described): Described {
  const struct = shape<object>({ kind });
  return structOf({}, struct.coercer, (value, context) => struct.find(value, context).slice(0, 1));
}

const kinds = Object.keys(simpleRuleStructs) as SimpleRule["kind"][];
const unknownKindStruct = noRule(oneOf(kinds));

/** Stands for a rule with too many parts. Copying a rule that contains itself several times would take half a minute. */
const tooLarge: unique symbol = Symbol("too large");

/** Nested structs get the same context object, so it can count the parts of a rule. */
interface CountingContext extends Context {
  partsLeft: number;
}

function counted(copy: Struct["coercer"]): Struct["coercer"] {
  return (value, context) => ((context as CountingContext).partsLeft-- > 0 ? copy(value, context) : tooLarge);
}

const tooDeep = problem("too_long", `Too long: groups nest at most ${ruleDepthMax} deep.`);
const tooDeepStruct = leaf<Rule>("Rule", () => tooDeep);
const uncopied = counted((value) => value);

const scalarFields = ["kind", "eventKey", "count", "field", "key", "operator", "checklistKey"];
/** The fields of every kind of rule, which are copied before the kind is known. */
const copiedFields = {
  ...Object.fromEntries(scalarFields.map((name) => [name, anythingStruct])),
  value: operandCopyStruct,
  where: whereStruct,
  period: periodStruct,
};

/**
 * Makes one struct per depth, so that a rule which contains itself is refused without endless recursion. The `schema` of a struct has
 * no groups. The OpenAPI document adds groups that refer to its schema of a rule.
 */
function ruleAt(depth: number): Input<Rule> {
  if (depth > ruleDepthMax) return choice([], () => tooDeepStruct, uncopied);
  const inner = ruleAt(depth + 1);
  const rules = listOf(inner, { countMin: 1, countMax: rulePartsMax });
  const groups = {
    all: shape<{ all: readonly Rule[] }>({ all: rules }),
    any: shape<{ any: readonly Rule[] }>({ any: rules }),
    not: shape<{ not: Rule }>({ not: inner }),
  };
  const copied = shape<object>({ ...copiedFields, all: rules, any: rules, not: inner });
  const choose = (fields: Readonly<Record<string, unknown>>): Described => {
    const kind = kinds.find((one) => one === fields["kind"]);
    if (kind) return simpleRuleStructs[kind];
    const group = (["all", "any", "not"] as const).find((name) => fields[name] !== undefined);
    return fields["kind"] === undefined && group ? groups[group] : unknownKindStruct;
  };
  return choice(Object.values(simpleRuleStructs), choose, counted(copied.coercer));
}

const nestedStruct = ruleAt(1);

const tooManyRules: Failure = {
  path: [],
  message: "too_long",
  explanation: `Too long: at most ${simpleRulesPerRuleMax} rules that are no groups.`,
};

const tooLargeOperands: Failure = {
  path: [],
  message: "too_long",
  explanation: `Too long: at most ${operandsPerRuleMaxBytes} bytes of values, as JSON.`,
};

const limitedStruct = refined(nestedStruct, (rule) => {
  const parts = simpleRules(rule);
  if (parts.length > simpleRulesPerRuleMax) return [tooManyRules];
  return operandBytes(parts) <= operandsPerRuleMaxBytes ? [] : [tooLargeOperands];
});

/** A struct whose values are copied as rules, and so have a limited number of parts. */
export function copiedRule<T>(struct: Input<T>): Input<T> {
  const copy = (value: unknown, context: Context): unknown => {
    const counting: CountingContext = { ...context, partsLeft: rulePartsMax };
    const copied: unknown = nestedStruct.coercer(value, counting);
    return counting.partsLeft < 0 ? tooLarge : copied;
  };
  return structOf<T>(struct.schema, copy, (value, context) =>
    value === tooLarge ? [tooManyRules] : struct.find(value, context),
  );
}

export const ruleStruct: Input<Rule> = copiedRule(limitedStruct);
