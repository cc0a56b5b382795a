/** Decides who enters and leaves watched audiences: functions over rows. */
import { isTrackerError, type TrackerError } from "../model/errors.ts";
import { newId } from "../model/ids.ts";
import { isCountRule, simpleRules } from "../model/rules.ts";
import type { ChangeDraft } from "../storage/changes.ts";
import type * as rows from "../storage/rows.ts";
import type { WatchedRule, WatchRow } from "../storage/watches.ts";
import { shown, type Named } from "./changes.ts";
import { rulesOf } from "./completions.ts";
import { conditionOf, holds, testsIn, type ContactData } from "./conditions.ts";
import { effectiveExternalId } from "./find-contact.ts";

/** Moves the first watch that can go on. Resolves with whether there was one. The rules of a later version hold up no other watch. */
export async function moveFirst<Watch>(
  unready: readonly Watch[],
  move: (watch: Watch) => Promise<boolean>,
): Promise<boolean> {
  let unknown: TrackerError | null = null;
  for (const watch of unready) {
    try {
      if (await move(watch)) return true;
    } catch (error) {
      if (!isTrackerError(error) || error.code !== "definition_unknown") throw error;
      unknown = error;
    }
  }
  if (unknown) throw unknown;
  return false;
}

/** The position of a first pass or a sweep that has reached the contact. It is no contact's id, so that a deleted contact leaves no trace. */
export function positionAt(contactId: string): string {
  // The last digits are random, and those before them unique.
  return `${contactId.slice(0, -8)}ffffffff`;
}

/** The position at which the sweep goes on. A watch that became ready during the sweep joins the sweep there. */
export function lastPosition(watches: readonly WatchRow[]): string | null {
  return (
    watches
      .flatMap(({ position }) => position ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** The names of what a write changes, to compare with those in rules. */
export type Names = readonly string[];

/** The name of what an event changes. */
export function namesOfEventKey(eventKey: string): Names {
  return [`event ${eventKey}`];
}

/** The name of what a completion by hand changes. */
export function namesOfCompletion(checklistId: string): Names {
  return [`checklist ${checklistId}`];
}

/** The names of the fields and attributes that differ. */
export function namesOfContactChange(before: rows.ContactRow, after: rows.ContactRow): Names {
  const old = fieldsOf(before);
  const current = fieldsOf(after);
  return Object.keys({ ...old, ...current }).filter((name) => old[name] !== current[name]);
}

function fieldsOf(row: rows.ContactRow): Record<string, unknown> {
  const { attributes, ...fields } = { ...row, externalId: effectiveExternalId(row) };
  const named = Object.entries(fields).map(([field, value]) => [`field ${field}`, value]);
  return Object.fromEntries([...named, ...Object.entries(attributes).map(([id, value]) => [`attribute ${id}`, value])]);
}

/** A write of one contact, or its evaluation by a sweep. */
export interface Edit {
  /** `null` if the contact is created, and in a sweep, which touches all rules. */
  names: Names | null;
  /** The contact before the write; `null` if it is created, and in a sweep. */
  before: ContactData | null;
  after: ContactData;
  isSilent: boolean;
  at: number;
}

/** The membership of a contact that an edit changes. `change` is `null` if it is silent. */
export interface MembershipWrite {
  watchId: string;
  contactId: string;
  isMember: boolean;
  change: ChangeDraft | null;
}

/** A watch whose rule is ready to be evaluated at its clock. */
export interface Watcher {
  watch: WatchRow;
  /** Whether the rule depends on one of the names. True for `null`. */
  tests(names: Names | null): boolean;
  /** Whether `tests` is true of the names, and the first pass has reached the contact. */
  isTouched(contactId: string, names: Names | null): boolean;
  /** The event keys, whose summaries an evaluation needs. */
  eventKeys: ReadonlySet<string>;
  /** The tests whose events an evaluation counts. */
  occurrenceTests(): readonly rows.OccurrenceTest[];
  needsCompletions: boolean;
  /** Whether the rule tests the contact's own data. Otherwise an evaluation needs only the names of the contact. */
  needsRow: boolean;
  /** Throws `definition_unknown` for a rule of a later version, and so does every evaluation. */
  condition(): rows.Condition;
  isMember(contact: ContactData): boolean;
  /**
   * Whether the contact is a member after the edit. `null` if a write does not change this, or changes it only at the clock of the
   * watch or only at its own time: sweeps find other differences.
   */
  resultOf(edit: Edit): boolean | null;
  /** The write of the membership, for a stored membership that differs from `isMember`. */
  toWrite(edit: Edit, isMember: boolean): MembershipWrite;
  /** The change of a member that the first pass has found. None if the pass is silent. */
  announce(contact: Named, at: number): ChangeDraft[];
}

/** Prepares the evaluation of a watch at its clock. */
export function createWatcher(watch: WatchRow): Watcher {
  const { watched, clock, position, readyAt, id: watchId, audienceKey } = watch;
  const checklists = new Map(watched.checklists.map(({ key, id, items }) => [key, { id, body: { items } }]));
  const attributes = new Map(watched.attributes.map((attribute) => [attribute.key, attribute]));
  let made: rows.Condition | undefined;
  const conditionAt = (now: number): rows.Condition =>
    conditionOf(watched.rule, now, { attributes, checklists }, clock);
  const condition = (): rows.Condition => (made ??= conditionAt(clock));
  const eventKeys = eventKeysOf(watched);
  const names = new Set([
    ...Array.from(eventKeys).flatMap(namesOfEventKey),
    ...watched.attributes.map(({ id }) => `attribute ${id}`),
    ...watched.checklists.flatMap(({ id }) => namesOfCompletion(id)),
    ...simpleRules(watched.rule).flatMap((part) => (part.kind === "field" ? `field ${part.field}` : [])),
  ]);
  const isTimed = simpleRules(watched.rule).some(
    (part) => ("operator" in part && part.operator === "within") || (!isCountRule(part) && "period" in part),
  );
  const { own, announces } = watched;
  const changeOf = (isNow: boolean, contact: Named, at: number, current?: true): ChangeDraft => ({
    kind: isNow ? "audience_entered" : "audience_left",
    id: newId(at),
    at,
    contact: shown(contact),
    audienceKey,
    ...(own !== undefined && { own }),
    ...(current && { current }),
  });
  const isMember = (contact: ContactData): boolean => holds(condition(), contact);
  const tests = (edited: Names | null): boolean => edited === null || edited.some((name) => names.has(name));
  return {
    watch,
    eventKeys,
    occurrenceTests: () => testsIn(condition()).filter((test) => "where" in test),
    needsCompletions: watched.checklists.length > 0,
    needsRow: simpleRules(watched.rule).some(({ kind }) => kind === "field" || kind === "attribute"),
    tests,
    isTouched: (contactId, edited) =>
      (readyAt !== null || (position !== null && contactId <= position)) && tests(edited),
    condition,
    isMember,
    resultOf({ before, after, at }) {
      const isNow = isMember(after);
      const isNew = before === null || isMember(before) !== isNow;
      if (at <= clock || !isTimed) return isNew ? isNow : null;
      const later = conditionAt(at);
      if (holds(later, after) !== isNow) return null;
      return isNew || holds(later, before) !== isNow ? isNow : null;
    },
    toWrite: ({ after: { row }, isSilent, at }, isNow) => ({
      watchId,
      contactId: row.id,
      isMember: isNow,
      change: isSilent ? null : changeOf(isNow, row, at),
    }),
    announce: (contact, at) => (announces ? [changeOf(true, contact, at, true)] : []),
  };
}

function eventKeysOf({ rule, checklists }: WatchedRule): Set<string> {
  const named = simpleRules(rule).flatMap((part) => ("eventKey" in part ? part.eventKey : []));
  const counted = checklists.flatMap(({ items }) => items.flatMap(rulesOf).map(({ eventKey }) => eventKey));
  return new Set([...named, ...counted]);
}
