import type { ChangedValue, ChangeRow } from "../../../lib/storage/changes.ts";
import { groupBy } from "../groups.ts";
import { countedItems, fieldsOf } from "./calls.ts";
import type { Evidence, Finding } from "./evidence.ts";
import type { Performed } from "./history.ts";

/** The writes of events, or of fields, by their tags. A tag of several calls is that of one event. */
export type Writes = ReadonlyMap<string, Performed[]>;

export const fieldNames = ["name", "plan", "role", "mark"] as const;
/** Those of `definitions`: the places, and one by hand. */
const allItems = countedItems + 1;

/** No change is in the log twice, and each deletion is there once. */
export function checkChanges({ rows, deletions, reborn }: Evidence): Finding[] {
  const { changes, contacts } = rows;
  const twice = [...groupBy(changes, ({ id }) => id)].filter(([, found]) => found.length > 1);
  const told = groupBy(changes, ({ kind, contact }) => (kind === "contact_deleted" ? contact.id : null));
  const wrong = [...new Set([...told.keys(), ...deletions.keys()])].filter((id) => {
    const isDeleted = deletions.has(id) || !contacts.has(id);
    return (told.get(id)?.length ?? 0) !== (isDeleted ? 1 : 0) && !reborn.has(id);
  });
  return [
    ...twice.map(([id, found]) => finding(`change ${id} is in the log ${found.length} times`)),
    ...wrong.map((id) =>
      finding(`the log has ${told.get(id)?.length ?? 0} deletions of contact ${id}`, deletions.get(id)),
    ),
  ];
}

/** Each event and each completed item that is there has a change, unless it was written with `notify: false`. */
export function checkChangesOfEvents(evidence: Evidence): Finding[] {
  const { rows } = evidence;
  const writes = writesOf(evidence);
  const logged = countBy(rows.changes.flatMap(nameOfResult));
  const due = new Map<string, { isLoud: boolean; from: readonly Performed[] }>();
  for (const { id, contactId, tag, items } of rows.events) {
    const from = writes.get(tag) ?? [];
    for (const name of [id, ...items.map((item) => `${contactId} ${item}`)])
      due.set(name, { isLoud: isLoud(from), from });
  }
  for (const id of rows.completions) due.set(`${id} by_hand`, { isLoud: true, from: [] });
  const itemsOf = groupBy([...due.keys()], (name) => (name.includes(" ") ? name.split(" ")[0]! : null));
  for (const [contactId, items] of itemsOf) {
    const isLoudWhole = items.every((name) => due.get(name)!.isLoud);
    if (items.length === allItems) due.set(`${contactId} places whole`, { isLoud: isLoudWhole, from: [] });
  }
  return [...new Set([...logged.keys(), ...due.keys()])].flatMap((name) => {
    const count = logged.get(name) ?? 0;
    const { isLoud: isDue = false, from = [] } = due.get(name) ?? {};
    // A key of a loud call and a quiet one: the first of them wrote.
    const mayBe = due.has(name) && (from.length === 0 || from.some(({ isQuiet }) => !isQuiet));
    if ((count === 1 && mayBe) || (count === 0 && !isDue)) return [];
    return [
      finding(`${name} has ${count} changes, and ${isDue ? "should have one" : "was not to be announced"}`, from),
    ];
  });
}

/** The id of an event, or the contact with the item or the checklist that it completed. */
function nameOfResult(change: ChangeRow): string[] {
  if (change.kind === "event_recorded") return [change.id];
  if (change.kind === "item_completed") return [`${change.contact.id} ${change.item.itemKey}`];
  return change.kind === "checklist_completed" ? [`${change.contact.id} ${change.checklistKey} whole`] : [];
}

/** Each change of a field begins with the value that the one before it left, and the last left the value that is there. */
export function checkChangesOfFields(evidence: Evidence): Finding[] {
  const writes = writesOf(evidence);
  const isUntold = (tag: string | null): boolean => tag !== null && !isLoud(writes.get(tag) ?? []);
  const byContact = groupBy(evidence.rows.changes, ({ contact }) => contact.id);
  return [...evidence.rows.contacts.values()].flatMap((row) =>
    fieldNames.flatMap((field) => {
      const steps = (byContact.get(row.id) ?? []).flatMap((change) => valueOf(change, field) ?? []);
      return [...steps, { before: row[field], after: null }].flatMap(({ before }, index) => {
        const left = steps[index - 1]?.after ?? null;
        if (before === left || isUntold(before as string | null)) return [];
        const text = `${field} of ${row.id} was left ${String(left)}, and is ${String(before)} without a change`;
        return [finding(text, writes.get(String(before)))];
      });
    }),
  );
}

export function valueOf(change: ChangeRow, field: (typeof fieldNames)[number]): ChangedValue | undefined {
  if (!("changed" in change)) return undefined;
  const { fields, attributes } = change.changed;
  return field === "mark" ? Object.values(attributes)[0] : fields[field];
}

/** Without those that were refused or found an event that was there. */
export function writesOf({ performed }: Evidence): Writes {
  const writing = performed.filter(({ outcome, answer }) => outcome !== "refused" && !answer?.event?.replayed);
  return groupBy(writing, ({ step }) => {
    if (step.do === "track") return step.tag;
    const fields = fieldsOf(step);
    return fields && (fieldNames.map((name) => fields[name]).find(Boolean) ?? null);
  });
}

/** Whether what the calls wrote must be in the log. */
function isLoud(from: readonly Performed[]): boolean {
  return from.length > 0 && !from.some(({ isQuiet }) => isQuiet);
}

function countBy(names: readonly string[]): Map<string, number> {
  return new Map([...groupBy(names, (name) => name)].map(([name, found]) => [name, found.length]));
}

export function finding(text: string, from: readonly Performed[] = []): Finding {
  return { text, callIds: from.map(({ callId }) => callId) };
}
