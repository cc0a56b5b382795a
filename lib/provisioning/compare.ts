/** How the stored definitions differ from a list. */
import { isDeepStrictEqual } from "node:util";
import { putDefinition, shownSubscription } from "../decisions/definition-writes.ts";
import { findPropertyIssues, keysIn } from "../decisions/named-definitions.ts";
import { toRow } from "../definitions/index.ts";
import { assertOneType, draftsOf, findIssues, findStored, kindsInOrder, nameOf } from "./list.ts";
import type { DefinitionDraft } from "./list.ts";
import type { Issue } from "../model/errors.ts";
import { differencesOf, none, type Differences } from "./differences.ts";
import { parse } from "../input/shapes.ts";
import { definitionsStruct } from "../input/definition-structs.ts";
import type { Scope } from "../scope.ts";
import type { DefinitionRow } from "../storage/rows.ts";
import type { ChecklistItem } from "../model/types.ts";

/** The result of `compare`, and of `provision`: how the stored definitions differed from the list. */
export interface Comparison {
  /** Whether the stored definitions equal the list, and `provision` would accept all their rules. */
  same: boolean;
  /** Event types, attributes, checklists, audiences, then subscriptions. In each kind, first the stored ones by age, then the missing ones. */
  definitions: ComparedDefinition[];
  /**
   * The problems that rules, items and subscriptions would have after the list is stored. A rule about an undefined attribute or
   * checklist is true of nobody. An event key needs an event type only if the tracker refuses undefined events. A property of
   * `where` that the event type lacks is a warning (`property_not_defined`), because older events may have it.
   */
  issues: RuleIssue[];
}

/** A definition that is listed or stored, or both. */
export interface ComparedDefinition extends Differences {
  kind: DefinitionRow["kind"];
  key: string;
  /** `missing`: listed, but not stored. `extra`: stored, but not listed. */
  state: "same" | "missing" | "changed" | "extra";
  /** The items of a changed checklist that differ; otherwise empty. */
  items: ComparedItem[];
}

/** A differing item of a checklist that is both listed and stored. */
export interface ComparedItem extends Differences {
  key: string;
  state: "missing" | "changed" | "extra";
}

/** A problem with a subscription, or with the rule of an audience or of a checklist's item. The path begins at the definition. */
export interface RuleIssue extends Issue {
  kind: "checklist" | "audience" | "subscription";
  key: string;
}

/** Throws `invalid_input`, and `attribute_conflict` if the list itself has two types for a key. */
export async function compare(scope: Scope, input: unknown): Promise<Comparison> {
  const list = parse(input, definitionsStruct);
  assertOneType(list.attributes);
  return comparisonOf(scope, draftsOf(list), await findStored(scope));
}

export function comparisonOf(
  scope: Scope,
  drafts: readonly DefinitionDraft[],
  stored: readonly DefinitionRow[],
): Comparison {
  const before = new Map(stored.map((row) => [nameOf(row), row]));
  const after = rowsAfter(scope, drafts, before);
  const listed = new Set(drafts.map(nameOf));
  const definitions = after.map((row) => compareRows(before.get(nameOf(row)), row, listed.has(nameOf(row))));
  const keys = keysIn(after);
  const declared = new Map(
    after.flatMap((row) =>
      row.kind === "event" && row.body.properties ? [[row.key, row.body.properties] as const] : [],
    ),
  );
  const issues = after.flatMap((row): RuleIssue[] => {
    const { kind, key } = row;
    if (kind === "event" || kind === "attribute") return [];
    const warnings = kind === "audience" ? findPropertyIssues(row.body.rule, "rule", declared) : [];
    return [...findIssues(row, keys), ...warnings].map((issue) => ({ kind, key, ...issue }));
  });
  const isHarmless = ({ code }: Issue): boolean =>
    code === "property_not_defined" || (code === "event_not_defined" && !scope.refusesUndefinedEvents);
  return { same: definitions.every(({ state }) => state === "same") && issues.every(isHarmless), definitions, issues };
}

/** The rows after the drafts are stored, by kind. A changed type counts as a difference, though storing it would be refused. */
function rowsAfter(
  scope: Scope,
  drafts: readonly DefinitionDraft[],
  before: ReadonlyMap<string, DefinitionRow>,
): DefinitionRow[] {
  const after = new Map(before);
  for (const draft of drafts) {
    const row = toRow(scope, draft);
    const put = putDefinition(after.get(nameOf(draft)) ?? null, row);
    after.set(nameOf(draft), "refused" in put ? (putDefinition(null, row) as DefinitionRow) : put);
  }
  return kindsInOrder.flatMap((kind) => Array.from(after.values()).filter((row) => row.kind === kind));
}

function compareRows(before: DefinitionRow | undefined, after: DefinitionRow, isListed: boolean): ComparedDefinition {
  const { kind, key } = after;
  if (!isListed) return { kind, key, state: "extra", ...none, items: [] };
  if (!before) return { kind, key, state: "missing", ...none, items: [] };
  const { fields, changes } = differencesOf(bodyOf(before), bodyOf(after));
  const items = before.kind === "checklist" && after.kind === "checklist" ? compareItems(before, after) : [];
  if (before.kind === "checklist" && after.kind === "checklist") {
    const orders = ordersOf(before.body.items, after.body.items);
    if (!isDeepStrictEqual(...orders)) {
      fields.push("order");
      changes.push(`order: ${orders.map((keys) => keys.join(", ")).join(" -> ")}`);
    }
  }
  return { kind, key, state: fields.length + items.length === 0 ? "same" : "changed", fields, changes, items };
}

function bodyOf(row: DefinitionRow): object {
  return row.kind === "subscription" ? shownSubscription(row.body) : row.body;
}

type ItemsOf = Extract<DefinitionRow, { kind: "checklist" }>;

function compareItems({ body: before }: ItemsOf, { body: after }: ItemsOf): ComparedItem[] {
  const stored = new Map(before.items.map((item) => [item.key, item]));
  const listed = new Set(after.items.map(({ key }) => key));
  const differing = after.items.flatMap((item): ComparedItem[] => {
    const earlier = stored.get(item.key);
    if (!earlier) return [{ key: item.key, state: "missing", ...none }];
    const differences = differencesOf(earlier, item);
    return differences.fields.length > 0 ? [{ key: item.key, state: "changed", ...differences }] : [];
  });
  const extra = before.items.filter(({ key }) => !listed.has(key));
  return [...differing, ...extra.map(({ key }): ComparedItem => ({ key, state: "extra", ...none }))];
}

/** The keys of the items that are in both lists, in the order of each. */
function ordersOf(before: readonly ChecklistItem[], after: readonly ChecklistItem[]): [string[], string[]] {
  const keysBoth = (items: readonly ChecklistItem[], others: readonly ChecklistItem[]): string[] =>
    items.map(({ key }) => key).filter((key) => others.some((other) => other.key === key));
  return [keysBoth(before, after), keysBoth(after, before)];
}
