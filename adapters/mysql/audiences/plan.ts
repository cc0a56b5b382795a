/** By which event keys a condition is answered. */
import type { Condition } from "../../../lib/storage/rows.ts";

/** What is asked of one summary. */
export type Leaf = Extract<Condition, { eventKey: string }>;

/** Those who did the key and fulfil the condition. */
export interface Doers {
  key: string;
  condition: Condition;
}

/** The id that the first so many who fulfil a part end with: the further, the fewer they are. */
export type Reaches = ReadonlyMap<Leaf, string>;

interface Source {
  doers: Doers[];
  reach: string;
}

/**
 * Who together are those who fulfil the condition; `null` where one may fulfil it having done nothing. Of parts that must all be
 * fulfilled the one that the fewest fulfil is chosen, as far as the reaches tell, else the one with the fewest keys. Of a
 * condition and its opposite just one is `null`: the one that is true of who did nothing.
 */
export function doersOf(condition: Condition, reaches: Reaches): Doers[] | null {
  return sourceOf(condition, false, reaches)?.doers ?? null;
}

function sourceOf(condition: Condition, negated: boolean, reaches: Reaches): Source | null {
  if ("not" in condition) return sourceOf(condition.not, !negated, reaches);
  if ("eventKey" in condition) {
    const doers = [{ key: condition.eventKey, condition }];
    return negated ? null : { doers, reach: reaches.get(condition) ?? "" };
  }
  const parts = partsOf(condition);
  const sources = parts.map((part) => sourceOf(part, negated, reaches));
  const known = sources.filter((source) => source !== null);
  if (isUnion(condition, negated)) {
    if (known.length < sources.length) return null;
    const [nearest] = known.map(({ reach }) => reach).sort();
    return { doers: merged(known.flatMap(({ doers }) => doers)), reach: nearest! };
  }
  const [chosen] = known.sort((a, b) => compare(b.reach, a.reach) || a.doers.length - b.doers.length);
  if (!chosen) return null;
  const others = parts.filter((_, index) => sources[index] !== chosen);
  const rest = negated ? others.map((part) => ({ not: part })) : others;
  return {
    doers: chosen.doers.map(({ key, condition }) => ({ key, condition: { all: [condition, ...rest] } })),
    reach: chosen.reach,
  };
}

/** The parts whose reaches `doersOf` can choose by; none where it has no choice. */
export function choicesOf(condition: Condition, negated = false): Leaf[] {
  if ("not" in condition) return choicesOf(condition.not, !negated);
  if ("eventKey" in condition) return [];
  const parts = partsOf(condition);
  const known = parts.filter((part) => sourceOf(part, negated, new Map()) !== null);
  const isChoice = known.length > 1 && !isUnion(condition, negated);
  return isChoice
    ? known.flatMap((part) => leavesOf(part, negated))
    : parts.flatMap((part) => choicesOf(part, negated));
}

function leavesOf(condition: Condition, negated: boolean): Leaf[] {
  if ("not" in condition) return leavesOf(condition.not, !negated);
  if ("eventKey" in condition) return negated ? [] : [condition];
  return partsOf(condition).flatMap((part) => leavesOf(part, negated));
}

function partsOf(group: Extract<Condition, { all: unknown } | { any: unknown }>): readonly Condition[] {
  return "all" in group ? group.all : group.any;
}

/** Not all of several is any of their opposites, and not any of them all. */
function isUnion(group: Condition, negated: boolean): boolean {
  return "all" in group === negated;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function merged(doers: readonly Doers[]): Doers[] {
  const byKey = new Map<string, Condition[]>();
  for (const { key, condition } of doers) byKey.set(key, [...(byKey.get(key) ?? []), condition]);
  return Array.from(byKey, ([key, parts]) => ({ key, condition: { any: parts } }));
}
