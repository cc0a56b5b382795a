import { isShown, type Fields, type SimpleDraft } from "./simple-drafts.ts";

/** Whether all rules of a group must be true, or any of them. */
export type Join = "all" | "any";

/** A simple rule in the builder. */
export interface Row {
  isNegated: boolean;
  rule: SimpleDraft;
}

/** The row with all of its negation in `isNegated`: "has not done" becomes the negation of "has done". */
export function toPlainRow(row: Row): Row {
  const { isNegated, rule } = row;
  return rule.kind === "has_not_done" ? { isNegated: !isNegated, rule: { ...rule, kind: "has_done" } } : row;
}

/** The inverse of `toPlainRow`: a negated "has done" becomes the rule "has not done". */
export function fromPlainRow(row: Row): Row {
  const { isNegated, rule } = row;
  return isNegated && rule.kind === "has_done" ? { isNegated: false, rule: { ...rule, kind: "has_not_done" } } : row;
}

/** A group inside the rule. */
export interface Group {
  isNegated: boolean;
  join: Join;
  parts: readonly Row[];
}

export type Part = Row | Group;

/** A rule as the builder shows it, finished or not. If `join` is `null`, the rule is its only part instead of a group. */
export interface Draft {
  join: Join | null;
  parts: readonly Part[];
}

export const emptyRow: Row = { isNegated: false, rule: { kind: "has_done", eventKey: "" } };

/** The rows for a rule; `null` if the builder cannot show all of it, or if the value is not a rule. */
export function draftOf(rule: unknown): Draft | null {
  const group = groupIn(rule);
  const parts = allOf((group?.rules ?? [rule]).map(partOf));
  return parts && { join: group?.join ?? null, parts };
}

/** The rule for the rows: the inverse of `draftOf`. */
export function ruleOf({ join, parts }: Draft): unknown {
  const rules = parts.map(ruleOfPart);
  return join === null ? rules[0] : { [join]: rules };
}

function ruleOfPart(part: Part): unknown {
  const rule = "parts" in part ? { [part.join]: part.parts.map(ruleOfPart) } : part.rule;
  return part.isNegated ? { not: rule } : rule;
}

/** The path of a part in the issues of the server, such as `rule.all.0.not`. */
export function pathOf(part: Part, path: string, join: Join | null, index: number): string {
  return `${path}${join === null ? "" : `.${join}.${index}`}${part.isNegated ? ".not" : ""}`;
}

/** Replaces the item at an index, or removes it for `null`; adds the item if there is none there. */
export function replaced<Item>(items: readonly Item[], index: number, item: Item | null): Item[] {
  return items.toSpliced(index, 1, ...(item === null ? [] : [item]));
}

/** Adds a part. A rule that is not a group yet becomes one. */
export function withPart({ join, parts }: Draft, part: Part): Draft {
  return { join: join ?? "all", parts: [...parts, part] };
}

function partOf(rule: unknown): Part | null {
  const isNegated = isFields(rule, "not");
  const inner = isNegated ? rule["not"] : rule;
  const group = groupIn(inner);
  if (!group) return isShown(inner) ? { isNegated, rule: inner } : null;
  const parts = allOf(group.rules.map(rowOf));
  return parts && { isNegated, join: group.join, parts };
}

function rowOf(rule: unknown): Row | null {
  const part = partOf(rule);
  return part && "parts" in part ? null : part;
}

function groupIn(rule: unknown): { join: Join; rules: unknown[] } | null {
  for (const join of ["all", "any"] as const)
    if (isFields(rule, join) && Array.isArray(rule[join])) return { join, rules: rule[join] };
  return null;
}

/** Whether the value is an object with this field and no other. */
function isFields(value: unknown, only: string): value is Fields {
  return typeof value === "object" && value !== null && Object.keys(value).join() === only;
}

function allOf<Item>(items: readonly (Item | null)[]): Item[] | null {
  const found = items.filter((item) => item !== null);
  return found.length === items.length ? found : null;
}
