import { groupBy } from "../groups.ts";
import { fieldsOf, upserts, type Fields, type ShownContact } from "./calls.ts";
import type { Evidence, Finding } from "./evidence.ts";
import { contactIdOf, precedes, type Performed } from "./history.ts";

/** Values of these name their write. */
const tagged = ["name", "plan", "role", "mark"] as const;
type Tagged = (typeof tagged)[number];
const allFields = [...tagged, "email", "externalId"] as const;

/** The value of a field, as it was read between two times. */
interface Read {
  contactId: string;
  field: keyof Fields;
  value: string | null;
  begin: number;
  end: number;
  /** Empty for a row that is there after all calls. */
  callId: string;
}

/** Each value that was answered, and each that is there, is that of a write which no later one has replaced. */
export function checkFields(evidence: Evidence): Finding[] {
  const { performed, rows, reborn } = evidence;
  const writers = indexWrites(performed);
  const reads = [
    ...performed.flatMap((one) => readsOf(evidence, one)),
    ...[...rows.contacts.values()].flatMap(finalReads),
  ];
  const stale = reads.flatMap((read) => {
    if (reborn.has(read.contactId)) return [];
    const known = evidence.byContact.get(read.contactId) ?? [];
    return findStale(read, known, writers);
  });
  return [...stale, ...performed.flatMap(findLost)];
}

/** All writes, by contact, field and value. */
function indexWrites(performed: readonly Performed[]): Map<string, Performed[]> {
  const all = performed.flatMap((one) =>
    allFields.flatMap((field) => {
      const value = written(one, field);
      return value === undefined ? [] : [{ one, name: nameOf(one.step.slot, field, value) }];
    }),
  );
  return new Map([...groupBy(all, ({ name }) => name)].map(([name, found]) => [name, found.map(({ one }) => one)]));
}

function nameOf(slot: number, field: keyof Fields, value: string | null): string {
  return `${slot} ${field} ${value}`;
}

function readsOf(
  { isCluster }: Evidence,
  { outcome, answer, step, kind, begin, answeredAt, callId }: Performed,
): Read[] {
  const contact = answer?.contact;
  if (outcome !== "done" || !contact) return [];
  // In a transaction a read may be that of its snapshot.
  if (step.do === "get" && (isCluster || kind !== "one")) return [];
  return tagged.map((field) => {
    return { contactId: contact.id, field, value: contact[field], begin, end: answeredAt, callId };
  });
}

function finalReads(contact: Pick<ShownContact, "id" | Tagged | "email"> & { externalId: string | null }): Read[] {
  return allFields.map((field) => {
    return { contactId: contact.id, field, value: contact[field], begin: Infinity, end: Infinity, callId: "" };
  });
}

/** What the step writes to the field; `undefined` if it does not. */
function written({ step, answer }: Performed, field: keyof Fields): string | null | undefined {
  const value = fieldsOf(step)?.[field];
  // A contact has the email that it is created by.
  const isEmailOfNew = field === "email" && upserts(step) && answer?.created !== false;
  return value === undefined && isEmailOfNew ? step.name : value;
}

function findStale(
  { contactId, field, value, begin, end, callId }: Read,
  known: readonly Performed[],
  writers: ReadonlyMap<string, Performed[]>,
): Finding[] {
  const slot = known[0]?.step.slot;
  // Somebody whose answer was lost created it, and nobody has met it since.
  if (slot === undefined) return [];
  const ofValue = writers.get(nameOf(slot, field, value)) ?? [];
  const isPossible = (one: Performed): boolean =>
    (one.outcome !== "refused" || one.callId === callId) && one.begin <= end;
  const candidates = ofValue.filter(isPossible);
  const others = known.filter((one) => {
    const other = written(one, field);
    return other !== undefined && other !== value && one.end < begin && contactIdOf(one) === contactId;
  });
  const replacing = (one: Performed): Performed | undefined => others.find((other) => precedes(one, other));
  if (candidates.some((one) => !replacing(one))) return [];
  // The value that it had at first, by its first answer at the latest.
  const since = Math.min(...known.map((one) => one.answeredAt));
  const afterFirst = others.find((other) => other.begin > since);
  if (value === null && !afterFirst) return [];
  const replacer = candidates.map(replacing)[0] ?? afterFirst;
  const told = candidates.length > 0 || value === null ? "was replaced before" : "was not written";
  const text = `${field} of contact ${contactId} is ${value}, which ${told}${callId === "" ? "" : `, in ${callId}`}`;
  const callIds = [...ofValue.slice(0, 2), ...(replacer ? [replacer] : [])].map((one) => one.callId);
  return [{ text, callIds: [...callIds, ...(callId === "" ? [] : [callId])] }];
}

/** A write is answered with what it wrote, unless others changed the contact that it created before a lost answer. */
function findLost({ step, outcome, answer, callId }: Performed): Finding[] {
  const fields = fieldsOf(step);
  const contact = answer?.contact;
  if (outcome !== "done" || !fields || !contact || answer.created === true) return [];
  const lost = [...tagged, "externalId" as const].filter((field) => {
    return typeof fields[field] === "string" && contact[field] !== fields[field];
  });
  return lost.map((field) => ({ text: `${callId} was answered without its ${field}`, callIds: [callId] }));
}
