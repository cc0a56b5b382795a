/** Chooses the event keys whose summaries are read for a condition. */
import type { Condition, EventTest, OccurrenceTest } from "../../../lib/storage/rows.ts";

/** The contacts that have events of `key` and fulfil the condition. */
export interface Candidates {
  key: string;
  condition: Condition;
}

/** For each part, the id of the hundredth contact that fulfils it. The later the id, the fewer contacts fulfil the part. */
export type Selectivities = ReadonlyMap<EventTest | OccurrenceTest, string>;

interface Source {
  candidates: Candidates[];
  selectivity: string;
}

/**
 * Returns candidates whose union is the members; `null` if contacts without events can be members.
 * - A test of events has candidates. Its negation and a test of the contact's own data have none.
 * - If all parts must be true, takes the candidates of the most selective part, and adds the other parts to their conditions. Among
 *   equals it takes the part with the fewest candidates.
 * - If one true part is enough, joins the candidates of all parts. There are none if a part has none.
 */
export function candidatesOf(condition: Condition, selectivities: Selectivities): Candidates[] | null {
  return sourceOf(condition, false, selectivities)?.candidates ?? null;
}

function sourceOf(condition: Condition, negated: boolean, selectivities: Selectivities): Source | null {
  if ("not" in condition) return sourceOf(condition.not, !negated, selectivities);
  if ("eventKey" in condition) {
    const candidates = [{ key: condition.eventKey, condition }];
    return negated ? null : { candidates, selectivity: selectivities.get(condition) ?? "" };
  }
  // A test of the contact's own data has no candidates. It only narrows those of other parts.
  if (!isGroup(condition)) return null;
  const parts = partsOf(condition);
  const sources = parts.map((part) => sourceOf(part, negated, selectivities));
  const known = sources.filter((source) => source !== null);
  if (isUnion(condition, negated)) {
    if (known.length < sources.length) return null;
    const [nearest = ""] = known.map(({ selectivity }) => selectivity).sort();
    return { candidates: merged(known.flatMap(({ candidates }) => candidates)), selectivity: nearest };
  }
  const [chosen] = known.sort(
    (a, b) => compare(b.selectivity, a.selectivity) || a.candidates.length - b.candidates.length,
  );
  if (!chosen) return null;
  const others = parts.filter((_, index) => sources[index] !== chosen);
  const rest = negated ? others.map((part) => ({ not: part })) : others;
  return {
    candidates: chosen.candidates.map(({ key, condition: own }) => ({ key, condition: { all: [own, ...rest] } })),
    selectivity: chosen.selectivity,
  };
}

/** The parts between which `candidatesOf` chooses by selectivity; none if it has no choice. */
export function choicesOf(condition: Condition, negated = false): (EventTest | OccurrenceTest)[] {
  if ("not" in condition) return choicesOf(condition.not, !negated);
  if (!isGroup(condition)) return [];
  const parts = partsOf(condition);
  const known = parts.filter((part) => sourceOf(part, negated, new Map()) !== null);
  const isChoice = known.length > 1 && !isUnion(condition, negated);
  return isChoice
    ? known.flatMap((part) => leavesOf(part, negated))
    : parts.flatMap((part) => choicesOf(part, negated));
}

function leavesOf(condition: Condition, negated: boolean): (EventTest | OccurrenceTest)[] {
  if ("not" in condition) return leavesOf(condition.not, !negated);
  if ("eventKey" in condition) return negated ? [] : [condition];
  if (!isGroup(condition)) return [];
  return partsOf(condition).flatMap((part) => leavesOf(part, negated));
}

/** A condition on summaries that excludes only contacts who fail the test. A summary also counts events that were pruned. */
export function boundsOf({ eventKey, count, from, to }: OccurrenceTest): Condition {
  const bounds: EventTest[] = [
    { eventKey, field: "count", from: count, to: null },
    { eventKey, field: "lastAt", from, to: null },
  ];
  return { all: to === null ? bounds : [...bounds, { eventKey, field: "firstAt", from: null, to }] };
}

type Group = Extract<Condition, { all: unknown } | { any: unknown }>;

function isGroup(condition: Condition): condition is Group {
  return "all" in condition || "any" in condition;
}

function partsOf(group: Group): readonly Condition[] {
  return "all" in group ? group.all : group.any;
}

/** Whether any of the parts suffices: a negated `all` is an `any` of the negated parts, and the other way round. */
function isUnion(group: Group, negated: boolean): boolean {
  return "all" in group === negated;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function merged(candidates: readonly Candidates[]): Candidates[] {
  const byKey = new Map<string, Condition[]>();
  for (const { key, condition } of candidates) byKey.set(key, [...(byKey.get(key) ?? []), condition]);
  return Array.from(byKey, ([key, parts]) => ({ key, condition: { any: parts } }));
}
