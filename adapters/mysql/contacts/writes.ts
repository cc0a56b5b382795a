import {
  decideContactWrite,
  lacksEmail,
  namesUnknownAttribute,
  refusalOfAttributes,
} from "../../../lib/decisions/contact-writes.ts";
import { workspaceDeleted } from "../../../lib/storage/refusals.ts";
import { chooseForUpsert, effectiveExternalId } from "../../../lib/decisions/find-contact.ts";
import { createLine, namesOfContact, namesOfUpdate } from "../../../lib/decisions/order.ts";
import type { ConflictingContact } from "../../../lib/model/errors.ts";
import type { ContactUpdate, ContactDraft, ContactPatch, ContactRow, Refused } from "../../../lib/storage/rows.ts";
import type { BatchedWrite } from "../group-commit/index.ts";
import { upsertingAtOnce, type ReadContacts } from "../one-round-trip/index.ts";
import { findDefinedAttributes } from "../definitions/index.ts";
import { createContactBatch, type ContactBatch } from "./batch.ts";
import { lockContact, lockContacts, wholeContacts } from "./lookup.ts";
import { distinct, effectiveNamesOf, emailsOf, nameText, targetsOf } from "./names.ts";
import { toContact, contactStatements as sql, type Name } from "../sql/index.ts";
import { currentOf, openOutbox, type FindSubscriptions, type Subscriptions } from "../changes/index.ts";
import { assertCaughtUp, rowLocked, type Work } from "../transactions/index.ts";

type Upserted = { contact: ContactRow; created: boolean };

/** Writes upserts in batches, and each update alone. They share a queue, so they take effect in the order of their calls. */
export function batchedContacts(
  findSubscriptions: FindSubscriptions,
): BatchedWrite<ContactDraft | ContactUpdate, Upserted | Refused> {
  return {
    async prepare(items, inside) {
      const subscriptions = await findSubscriptions(items, inside);
      const [update] = items.filter(isUpdate);
      if (update) {
        return { look: null, atOnce: null, once: async (work) => [await updateContact(work, update, subscriptions)] };
      }
      const drafts = items.filter((item): item is ContactDraft => !isUpdate(item));
      if (inside) return { look: null, atOnce: null, once: (work) => upsertContacts(work, drafts, subscriptions) };
      const effective = distinct(effectiveNamesOf(drafts));
      const names = {
        look: sql.findNames(effective),
        emails: distinct(emailsOf(drafts)),
        externalIds: effective,
        targets: distinct(targetsOf(drafts)),
      };
      return {
        look: names.look,
        atOnce:
          subscriptions &&
          upsertingAtOnce(drafts, subscriptions, names, (work, read) =>
            upsertContacts(work, drafts, subscriptions, read),
          ),
        once: (work) => upsertContacts(work, drafts, subscriptions),
      };
    },
    wasWrittenBefore(result, time, item) {
      if (isUpdate(item)) return false;
      return "refused" in result ? !result.refused.conflict : result.contact.updatedAt < time;
    },
    namesOf: (item) => (isUpdate(item) ? namesOfUpdate(item) : namesOfContact(item)),
    isAlone: isUpdate,
    copy: (draft) => structuredClone(draft),
    bytesOf: ({ patch }) => JSON.stringify(patch).length + 500,
  };
}

function isUpdate(item: ContactDraft | ContactUpdate): item is ContactUpdate {
  return "externalId" in item;
}

/** Decides the drafts in order, then writes the resulting contacts. */
async function upsertContacts(
  work: Work,
  drafts: readonly ContactDraft[],
  subscriptions: Subscriptions | null,
  read?: ReadContacts,
): Promise<(Upserted | Refused | typeof rowLocked)[]> {
  const outbox = await openOutbox(work, drafts, await currentOf(work, drafts, subscriptions));
  const { isDefined, byEmail, byExternalId, locked } = read ?? (await readContacts(work, drafts));
  const batch = createContactBatch(work, isDefined, outbox);
  batch.add([...byEmail, ...byExternalId], { locked: work.waits });
  batch.add(locked, { locked: true });
  const answers: (Upserted | Refused | typeof rowLocked)[] = [];
  const line = createLine(namesOfContact);
  for (const draft of drafts) {
    let answer = line.isBehind(draft) ? rowLocked : await upsertContact(work, batch, draft);
    if (work.waits && answer !== rowLocked && lacksEmail(answer)) {
      // The contact may be newer than the caller's snapshot. Only a read with a lock shows it.
      await batch.flush();
      batch.add(await look({ ...work, duplicateMet: true }, sql.findContactsByExternalId, targetsOf([draft])), {
        locked: true,
      });
      answer = await upsertContact(work, batch, draft);
    }
    if (answer === rowLocked) line.join(draft);
    // All drafts wait for a lagging node: what this one may change decides which contact a later draft finds by another name.
    else if (namesUnknownAttribute(answer) || lacksEmail(answer)) assertCaughtUp(work);
    answers.push(answer);
  }
  await batch.flush();
  return answers;
}

async function upsertContact(
  work: Work,
  batch: ContactBatch,
  draft: ContactDraft,
): Promise<Upserted | Refused | typeof rowLocked> {
  const { workspace } = draft;
  const before = chooseForUpsert(
    draft,
    (externalId) => batch.byExternalId(workspace, externalId),
    (email) => batch.byEmail(workspace, email),
  );
  // The contact is locked elsewhere, or was created after the look-up. A later try locks it.
  if (before && !batch.isLocked(before)) return rowLocked;
  // An earlier try of this call created the contact, and was committed after all.
  if (work.uncertain && before?.id === draft.id) return { contact: structuredClone(before), created: true };
  const after = await write(work, batch, draft, before);
  if (after === rowLocked || "refused" in after) return after;
  // A copy, because a later draft that changes nothing returns the same contact.
  return { contact: structuredClone(after), created: before === null };
}

/** Reads the contacts that may conflict with the drafts, and locks those that the drafts patch. */
async function readContacts(work: Work, drafts: readonly ContactDraft[]): Promise<ReadContacts> {
  const isDefined = await findDefinedAttributes(work, drafts);
  const byEmail = await look(work, sql.findContactsByEmail, emailsOf(drafts));
  const byExternalId = await look(work, sql.findContactsByExternalId, effectiveNamesOf(drafts));
  const targets = new Set(targetsOf(drafts).map(nameText));
  const named = byExternalId.filter((row) => targets.has(nameText([row.workspace, effectiveExternalId(row)])));
  const ids = [...byEmail, ...named].map(({ id }) => id);
  if (work.waits || ids.length === 0) return { isDefined, byEmail, byExternalId, locked: [] };
  const lock = work.inLine ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED";
  const locked = (await work.rows(sql.findContactsById(ids, lock))).map(toContact);
  return { isDefined, byEmail, byExternalId, locked };
}

/**
 * Finds the contacts with these names. In a caller's transaction the snapshot may be old, so the contacts in it are read again
 * with a lock. Absent names are not locked, because that would lock the gap where others insert. If such a name exists after
 * all, the insert fails with a duplicate. The next try reads all names with a lock.
 */
async function look(work: Work, find: sql.FindByName, wanted: readonly Name[]): Promise<ContactRow[]> {
  const names = distinct(wanted);
  if (names.length === 0) return [];
  if (work.waits && work.duplicateMet) return (await work.rows(find(names, "FOR UPDATE"))).map(toContact);
  const seen = (await work.rows(find(names, ""))).map(toContact);
  if (!work.waits || seen.length === 0) return seen;
  const ids = seen.map(({ id }) => id);
  return (await work.rows(sql.findContactsById(ids, "FOR UPDATE"))).map(toContact);
}

/** Updates a contact. Notes its id by `work.intend`, for the next try. */
async function updateContact(
  work: Work,
  update: ContactUpdate,
  subscriptions: Subscriptions | null,
): Promise<Upserted | Refused | typeof rowLocked> {
  const { workspace, externalId, patch } = update;
  // If the earlier try was committed, the contact may have another name now.
  const [before = null]: (ContactRow | null | typeof rowLocked)[] =
    typeof work.intended === "string"
      ? [await lockContact(work, work.intended)]
      : await lockContacts(work, [{ workspace, reference: { externalId } }], wholeContacts);
  if (before === rowLocked) return rowLocked;
  if (!before) assertCaughtUp(work);
  const outbox = await openOutbox(work, [update], subscriptions);
  const batch = createContactBatch(work, await findDefinedAttributes(work, [update]), outbox);
  if (before) {
    work.intend(before.id);
    batch.add(await lookUpNewNames(work, before, patch));
    batch.add([before], { locked: true });
  }
  const after = await write(work, batch, update, before);
  if (after !== rowLocked && namesUnknownAttribute(after)) assertCaughtUp(work);
  await batch.flush();
  return after === rowLocked || "refused" in after ? after : { contact: after, created: false };
}

/** The contacts that have a name which the patch gives to `before`. */
async function lookUpNewNames(work: Work, before: ContactRow, patch: ContactPatch): Promise<ContactRow[]> {
  const { workspace } = before;
  const wanted = { ...before, ...patch.fields };
  const effective = effectiveExternalId(wanted);
  const emails: Name[] = wanted.email === before.email ? [] : [[workspace, wanted.email]];
  const externalIds: Name[] = effective === effectiveExternalId(before) ? [] : [[workspace, effective]];
  const byEmail = await look(work, sql.findContactsByEmail, emails);
  return [...byEmail, ...(await look(work, sql.findContactsByExternalId, externalIds))];
}

/** Decides the change and puts it into the batch. Returns the resulting contact, the refusal or `rowLocked`. */
async function write(
  work: Work,
  batch: ContactBatch,
  change: ContactDraft | ContactUpdate,
  before: ContactRow | null,
): Promise<ContactRow | Refused | typeof rowLocked> {
  if (batch.isDeleted(change)) return workspaceDeleted;
  const refusal = refusalOfAttributes(change.patch, (id) => batch.isDefined(change.workspace, id));
  if (refusal) return refusal;
  const after = decideContactWrite(change, before, (wanted) => {
    if (batch.isAwaited(wanted)) return rowLocked;
    const { workspace, email } = wanted;
    return {
      email: batch.byEmail(workspace, email),
      externalId: batch.byExternalId(workspace, effectiveExternalId(wanted)),
    };
  });
  if (after === rowLocked) return rowLocked;
  if (!("refused" in after)) {
    if (after !== before) await batch.put(change, before, after);
    return after;
  }
  const holder = after.refused.conflict?.contacts.at(-1);
  return !holder || work.waits || (await isSettled(work, batch, holder)) ? after : rowLocked;
}

/** Whether the holder certainly has the name. False if another transaction has locked the holder and may rename it. */
async function isSettled(work: Work, batch: ContactBatch, holder: ConflictingContact): Promise<boolean> {
  if (batch.isLocked(holder)) return true;
  const locked = await lockContact(work, holder.id);
  if (locked === rowLocked || locked === null) return false;
  return locked.email === holder.email && effectiveExternalId(locked) === holder.externalId;
}
