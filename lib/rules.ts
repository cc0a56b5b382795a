/** Targeting rules: what they may be, what they ask of a contact's summaries, and why they are true or false. */
import { Struct, type Context } from "superstruct";
import type { ChecklistItem, Explanation, ObservedEvents, Period, Rule, SimpleRule } from "./behaviour-types.ts";
import { wholeNumber } from "./fields.ts";
import { eventKey } from "./identifiers.ts";
import { ruleDepthMax, rulePartsMax, simpleRulesPerRuleMax } from "./limits.ts";
import { normalizePeriod, period, spanOf } from "./periods.ts";
import type { Condition, EventSummary } from "./storage.ts";
import { formatTime } from "./times.ts";
import { failuresOf, type Failure, leaf, listOf, problem, shape } from "./validation.ts";

/** What a contact did: its summaries by event key. */
export type Summaries = ReadonlyMap<string, EventSummary>;

/** What the rule asks for at the moment `now`. */
export function conditionOf(rule: Rule, now: number): Condition {
  if ("all" in rule) return { all: rule.all.map((part) => conditionOf(part, now)) };
  if ("any" in rule) return { any: rule.any.map((part) => conditionOf(part, now)) };
  if ("not" in rule) return { not: conditionOf(rule.not, now) };
  const { kind, eventKey } = rule;
  switch (kind) {
    case "has_done":
      return { eventKey, field: "count", from: 1, to: null };
    case "has_not_done":
      return { not: { eventKey, field: "count", from: 1, to: null } };
    case "count_greater_than":
      return { eventKey, field: "count", from: rule.count + 1, to: null };
    case "first_done_within":
      return { eventKey, field: "firstAt", ...spanOf(rule.period, now) };
    case "last_done_within":
      return { eventKey, field: "lastAt", ...spanOf(rule.period, now) };
  }
}

/** Whether the condition holds of a contact. A storage without a query language calls it for each. */
export function holds(condition: Condition, summaries: Summaries): boolean {
  if ("all" in condition) return condition.all.every((part) => holds(part, summaries));
  if ("any" in condition) return condition.any.some((part) => holds(part, summaries));
  if ("not" in condition) return !holds(condition.not, summaries);
  const { eventKey, field, from, to } = condition;
  const observed = summaries.get(eventKey)?.[field];
  return observed !== undefined && (from === null || observed >= from) && (to === null || observed < to);
}

export function explain(rule: Rule, summaries: Summaries, now: number): Explanation {
  const isTrue = (part: Rule): boolean => holds(conditionOf(part, now), summaries);
  const because = simpleRules(rule).map((part) => {
    const summary = summaries.get(part.eventKey);
    return { rule: structuredClone(part), match: isTrue(part), observed: summary ? toObserved(summary) : null };
  });
  return { match: isTrue(rule), because };
}

function toObserved({ count, firstAt, lastAt }: EventSummary): ObservedEvents {
  return { count, firstAt: formatTime(firstAt), lastAt: formatTime(lastAt) };
}

function simpleRules(rule: Rule): SimpleRule[] {
  if ("all" in rule) return rule.all.flatMap(simpleRules);
  if ("any" in rule) return rule.any.flatMap(simpleRules);
  return "not" in rule ? simpleRules(rule.not) : [rule];
}

/** A copy of a valid rule as it is stored and answered: its times are texts. */
export function normalizeRule(rule: Rule): Rule {
  if ("all" in rule) return { all: rule.all.map(normalizeRule) };
  if ("any" in rule) return { any: rule.any.map(normalizeRule) };
  if ("not" in rule) return { not: normalizeRule(rule.not) };
  return "period" in rule ? { ...rule, period: normalizePeriod(rule.period) } : { ...rule };
}

type RuleOf<Kind extends SimpleRule["kind"]> = Extract<SimpleRule, { kind: Kind }>;

const kind = <Kind extends SimpleRule["kind"]>(): Struct<Kind, null> => leaf("kind", () => null);
const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const simple = {
  has_done: shape<RuleOf<"has_done">>("Rule", { kind: kind(), eventKey }),
  has_not_done: shape<RuleOf<"has_not_done">>("Rule", { kind: kind(), eventKey }),
  count_greater_than: shape<RuleOf<"count_greater_than">>("Rule", { kind: kind(), eventKey, count }),
  first_done_within: shape<RuleOf<"first_done_within">>("Rule", { kind: kind(), eventKey, period }),
  last_done_within: shape<RuleOf<"last_done_within">>("Rule", { kind: kind(), eventKey, period }),
};

/** Finds wrong with a value that its kind is none of these. */
function kindAmong(kinds: readonly string[]): Struct<{ kind: string }, null> {
  const expected = `${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}`;
  return shape("Rule", {
    kind: leaf(expected, (value) => (typeof value === "string" ? "invalid_format" : "wrong_type")),
  });
}

const noRule = kindAmong(Object.keys(simple));
const noWhen = kindAmong(["has_done", "count_greater_than"]);

/** The first failure of a rule of no kind that is known: what other fields there may be is not known. */
function kindFailure(struct: Struct<{ kind: string }, null>, value: unknown, context: Context): Failure {
  return failuresOf(struct, value, context)[0]!;
}

const anything = leaf<unknown>("anything", () => null);

/** Stands for a rule of too many parts: to copy one that contains itself, a few times at each depth, takes half a minute. */
const tooLarge = Symbol("too large");

/** Structs hand their context on, so that it counts. */
interface CountingContext extends Context {
  partsLeft: number;
}

function counted(copy: Struct["coercer"]): Struct["coercer"] {
  return (value, context) => ((context as CountingContext).partsLeft-- > 0 ? copy(value, context) : tooLarge);
}

function copyRule(value: unknown, context: Context): unknown {
  const counting: CountingContext = { ...context, partsLeft: rulePartsMax };
  const copy: unknown = nested.coercer(value, counting);
  return counting.partsLeft < 0 ? tooLarge : copy;
}

const tooDeep = new Struct<Rule, null>({
  type: "Rule",
  schema: null,
  coercer: counted((value) => value),
  validator: leaf("Rule", () => problem("too_long", `Too long: groups nest at most ${ruleDepthMax} deep.`)).validator,
});

/** Those of every form, as they are copied. */
interface Fields extends Record<"kind" | "eventKey" | "count", unknown> {
  period: Period;
  all: Rule[];
  any: Rule[];
  not: Rule;
}

/** A struct for each depth, so that an input however deep, or endless, is read and refused in bounds. */
function ruleAt(depth: number): Struct<Rule, null> {
  const inner = depth < ruleDepthMax ? ruleAt(depth + 1) : tooDeep;
  const rules = listOf("rules", inner, { countMin: 1, countMax: rulePartsMax });
  const groups = {
    all: shape<{ all: Rule[] }>("Rule", { all: rules }),
    any: shape<{ any: Rule[] }>("Rule", { any: rules }),
    not: shape<{ not: Rule }>("Rule", { not: inner }),
  };
  const fields = {
    kind: anything,
    eventKey: anything,
    count: anything,
    period,
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
      return kindFailure(noRule, value, context);
    },
  });
}

const nested = ruleAt(1);

const tooManyRules = {
  message: "too_long",
  explanation: `Too long: at most ${simpleRulesPerRuleMax} rules that are no groups.`,
};

export const rule: Struct<Rule, null> = new Struct<Rule, null>({
  type: "Rule",
  schema: null,
  coercer: copyRule,
  validator(value, context) {
    if (value === tooLarge) return tooManyRules;
    const failures = failuresOf(nested, value, context);
    if (failures.length > 0) return failures;
    return simpleRules(value as Rule).length <= simpleRulesPerRuleMax || tooManyRules;
  },
});

type When = NonNullable<ChecklistItem["when"]>;

/** A rule that never turns false again. */
export const when: Struct<When, null> = new Struct<When, null>({
  type: "When",
  schema: null,
  coercer: copyRule,
  validator(value, context) {
    if (value === tooLarge) return tooManyRules;
    const { kind } = Object(value) as { kind: unknown };
    if (kind === "has_done" || kind === "count_greater_than") return simple[kind].validator(value, context);
    return kindFailure(noWhen, value, context);
  },
});
