/** Random writes to contacts with few names, beside a table of the contacts that must have them. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { settle, type ItemResult } from "../../lib/bulk/item-results.ts";
import { writeMany } from "../../lib/bulk/many.ts";
import type { Tracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { contactWrites, prepareByOwnId } from "../../lib/contacts/upserts.ts";
import { untyped } from "./stopped-tracker.ts";

/** An import takes the storage. `workspace` is `default` if it is absent. */
type Door = { tracker: Pick<Tracker, "contacts" | "events">; storage: Storage; workspace?: string };
type Row = { id: string; email: string; own: string | null };
/** `name` is the one in the path of a request. */
type Write = { name: string; email: string | undefined; externalId: string | null | undefined };
type Result = { contact: { id: string }; created?: boolean };
/** The id and whether the contact was created, or the code and the conflict. */
type Answer = [string, unknown];

const names = ["a@x.co", "A@x.co", "b@x.co", "c@x.co", "u_1", "u_2", "u_3"];
const write = fc.record({
  name: fc.constantFrom(...names),
  email: fc.constantFrom(...names.slice(0, 4), undefined),
  externalId: fc.constantFrom(...names, undefined, undefined, null),
});
const method = fc.constantFrom("upsert", "put", "put", "update", "delete", "track", "import");

const shown = ({ id, email, own }: Row): object => ({ id, email, externalId: own ?? email });
const refused = (code: string, field?: string, ...rows: (Row | undefined)[]): Answer => {
  return [code, field ? { field, contacts: rows.flatMap((row) => (row ? [shown(row)] : [])) } : null];
};
const ofEmail = (rows: Row[], email?: string): Row | undefined =>
  rows.find((row) => row.email === email?.toLowerCase());
/** The row with this externalId of its own, or else the first with one of the emails and none of its own. */
const ofOwn = (rows: Row[], own: string, ...emails: (string | undefined)[]): Row | undefined =>
  rows.find((row) => row.own === own) ?? emails.map((email) => ofEmail(rows, email)).find((row) => row?.own === null);

/** Writes to the rows. A write by an own externalId never finds a row with another one. */
function expected(rows: Row[], by: string, { name, email, externalId }: Write, newId: string): Answer {
  const named = ofOwn(rows, name, name);
  if (by === "delete") {
    const row = ofEmail(rows, name) ?? named;
    if (!row) return refused("contact_not_found");
    if (named && row !== named) return refused("ambiguous_identifier", "identifier", named, row);
    rows.splice(rows.indexOf(row), 1);
    return [row.id, undefined];
  }
  const own = by === "put" ? name : externalId;
  const isByOwn = by !== "upsert" && typeof own === "string";
  const before = by === "update" ? named : isByOwn ? ofOwn(rows, own, own, email) : ofEmail(rows, email);
  if (!before && by === "update") return refused("contact_not_found");
  // An event's contact always has an email.
  if (email === undefined && (!before || by === "track")) return refused("invalid_input");
  const after: Row = { id: newId, email: "", own: null, ...before, ...(email && { email: email.toLowerCase() }) };
  if (own !== undefined) after.own = own;
  const others = rows.filter((row) => row !== before);
  const holder = ofEmail(others, after.email);
  if (holder) return refused("email_taken", "email", before, holder);
  const namesake = others.find((row) => (row.own ?? row.email) === (after.own ?? after.email));
  if (namesake) return refused("external_id_taken", "externalId", before, namesake);
  rows.splice(0, rows.length, ...others, after);
  return [after.id, by === "update" || by === "track" ? undefined : !before];
}

/** Sends the first write, or an import of all. */
async function send({ tracker, storage, workspace = "default" }: Door, by: string, writes: Write[]): Promise<Answer[]> {
  const { contacts, events } = tracker;
  const answers: Answer[] = [];
  const note = (result: ItemResult<Result>): void =>
    void answers.push(
      result.ok
        ? [result.contact.id, result.created]
        : [result.error.code, "conflict" in result.error ? result.error.conflict : null],
    );
  const drafts = writes.map(({ email, externalId }) => untyped({ email, externalId }));
  const [{ name, email }, draft] = [writes[0]!, drafts[0]!];
  const calls: Record<string, () => Promise<Result>> = {
    upsert: () => contacts.upsert(draft),
    put: () => contacts.put(name, { email }),
    update: async () => ({ contact: await contacts.update(name, draft) }),
    delete: async () => ({ contact: { id: (await contacts.delete(name)).contactId } }),
    track: async () => ({ contact: { id: (await events.track({ contact: draft, eventKey: "a" })).event.contactId } }),
  };
  if (by === "import")
    await writeMany(drafts, contactWrites({ storage, workspace, now: Date.now }, prepareByOwnId), note);
  else note(await settle(calls[by]!()));
  return answers;
}

/** Asserts each answer, and after each step the look-up of each name. The steps go through the doors in turn. */
export async function assertOwners(numRuns: number, open: () => Door[]): Promise<void> {
  const step = fc.tuple(method, fc.array(write, { minLength: 1, maxLength: 4 }));
  const property = fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
    const doors = open();
    const rows: Row[] = [];
    for (const [n, [by, writes]] of steps.entries()) {
      const answers = await send(doors[n % doors.length]!, by, writes);
      answers.forEach((answer, index) => assert.deepEqual(answer, expected(rows, by, writes[index]!, answer[0])));
      const { contacts } = doors[(n + 1) % doors.length]!.tracker;
      const found = await Promise.all(names.map((name) => contacts.get(name)));
      const seen = found.map((contact) => contact && shown({ ...contact, own: contact.externalId }));
      const owners = names.map((name) => ofOwn(rows, name, name) ?? null);
      assert.deepEqual(
        seen,
        owners.map((row) => row && shown(row)),
      );
    }
  });
  await fc.assert(property, { numRuns });
}
