import { changesOfEvent } from "../../../lib/decisions/changes.ts";
import { decideEvent, withEvent } from "../../../lib/decisions/events.ts";
import { namesOfEventKey } from "../../../lib/decisions/watches.ts";
import { workspaceDeleted } from "../../../lib/storage/refusals.ts";
import { createLine, namesOfEvent } from "../../../lib/decisions/order.ts";
import { firstIdAt } from "../../../lib/model/ids.ts";
import type { ContactRow, EventRow, EventDraft, Refused } from "../../../lib/storage/rows.ts";
import type { BatchedWrite } from "../group-commit/index.ts";
import { recordingAtOnce } from "../one-round-trip/index.ts";
import { noteCompletions, type AddedEvent } from "./completions.ts";
import type { Defined } from "../definitions/index.ts";
import { summarize } from "./summaries.ts";
import { lockContacts, namesOnly, wholeContacts, type ContactNames, type Reading } from "../contacts/index.ts";
import { hex, text, toEvent, eventStatements as sql, type Row, type Name } from "../sql/index.ts";
import { currentOf, openOutbox, type FindSubscriptions, type Subscriptions } from "../changes/index.ts";
import { rowLocked, type Work } from "../transactions/index.ts";
import type { ContactEdit } from "../watches/index.ts";

export function batchedEvents(
  findDefined: (drafts: readonly EventDraft[], inside?: Work) => Promise<Defined>,
  findSubscriptions: FindSubscriptions,
): BatchedWrite<EventDraft, EventRow | Refused | null> {
  /**
   * The events whose contact a lagging node did not find. A later batch retries them, once. Throwing `Behind` would keep the
   * other events of the batch from being written.
   */
  const behind = new WeakSet<EventDraft>();
  return {
    async prepare(drafts, inside) {
      const defined = await findDefined(drafts, inside);
      const asking = drafts.filter((_, index) => inside || defined.refusals[index] === null);
      const subscriptions = await findSubscriptions(asking, inside);
      const hashes = hashesOf(drafts);
      return {
        look: hashes.length > 0 ? sql.findIdempotencyHashes(hashes) : null,
        behind: drafts.some((draft) => behind.has(draft)),
        atOnce: subscriptions && !inside ? recordingAtOnce(drafts, defined, subscriptions, hashes) : null,
        once: (work) => recordEvents(work, drafts, defined, subscriptions, behind),
      };
    },
    wasWrittenBefore: (result, time) => result === null || "refused" in result || result.id < firstIdAt(time),
    namesOf: namesOfEvent,
    isAlone: () => false,
    copy: copyDraft,
    bytesOf: ({ properties }) => properties.length + 500,
  };
}

/**
 * Decides the drafts in order, then writes the new events and adds them to the summaries. Returns an answer for each draft. Adds
 * to `behind` the drafts whose contact a lagging node did not find.
 */
async function recordEvents(
  work: Work,
  drafts: readonly EventDraft[],
  { checklists, refusals: refusalsOfTypes }: Defined,
  found: Subscriptions | null,
  behind: WeakSet<EventDraft>,
): Promise<(EventRow | Refused | null | typeof rowLocked)[]> {
  const subscriptions = await currentOf(work, drafts, found);
  // `subscriptions` is `null` if they could not be read in time. Then no draft is refused for a deleted workspace: its deletion
  // waits for these locks, and removes the events.
  const refusals = drafts.map(({ workspace }, index) =>
    subscriptions?.get(workspace)?.isDeleted ? workspaceDeleted : (refusalsOfTypes[index] ?? null),
  );
  const isRefused = (index: number): boolean => refusals[index] !== null;
  const readsRows = drafts.some((draft, index) => !isRefused(index) && needsRow(draft, subscriptions));
  const contacts = await lockContactsOf(
    work,
    drafts.map((draft, index) => (isRefused(index) ? null : draft)),
    readsRows ? wholeContacts : namesOnly,
  );
  // Usually all events are new and have a contact. Only other batches look up events that were recorded before.
  const asks =
    work.looksFirst ||
    work.duplicateMet ||
    work.uncertain ||
    work.uncommitted.length > 0 ||
    contacts.some((contact, index) => !isRefused(index) && (contact === null || contact === rowLocked)) ||
    drafts.some(({ idempotencyHash }, index) => isRefused(index) && idempotencyHash !== null);
  const recorded = createIndex(asks ? await findRecorded(work, drafts) : []);
  for (const row of work.uncommitted) recorded.expect(text(row.workspace), hex(row.idempotency_hash));
  const added: AddedEvent[] = [];
  const line = createLine(namesOfEvent);
  const wait = (draft: EventDraft): typeof rowLocked => {
    line.join(draft);
    return rowLocked;
  };
  const answers = drafts.map((draft, index) => {
    if (line.isBehind(draft)) return wait(draft);
    const contact = contacts[index] ?? null;
    const decision = decideEvent(draft, recorded.byHash(draft), recorded.byId(draft), contact, refusals[index] ?? null);
    if ("answer" in decision) {
      // A later batch looks again for a contact that a lagging node lacks. Until then no event with a name in common is added.
      const isBehind = decision.answer === null && work.mayBeBehind;
      if (isBehind) behind.add(draft);
      return isBehind || decision.answer === rowLocked ? wait(draft) : decision.answer;
    }
    const row = decision.added;
    // Only an event whose contact was found and locked is added.
    added.push({ workspace: draft.workspace, row, draft, contact: contact as ContactNames });
    recorded.add(draft.workspace, row);
    return row;
  });
  if (added.length > 0) {
    const outbox = await openOutbox(work, added, subscriptions);
    for (const event of added) outbox.edit(event.draft, editOf(event, readsRows));
    await outbox.readEdited();
    // The summaries come first: their counts decide which checklist items are stored with each event.
    await work.writeLater(sql.addToSummaries(summarize(added)));
    await noteCompletions(work, added, checklists, outbox);
    await work.writeLater(sql.insertEvents(added));
    for (const { row, draft, contact } of added)
      outbox.add(draft, () => changesOfEvent(contact, row, draft.recordedAt));
    await outbox.flush();
  }
  return answers.map((answer) =>
    answer === null || answer === rowLocked || "refused" in answer ? answer : copyRow(answer),
  );
}

/** Whether the draft touches a watched rule about the contact's own data. If so, the lock of the contact also reads its row. */
function needsRow({ workspace, eventKey }: EventDraft, subscriptions: Subscriptions | null): boolean {
  const watchers = subscriptions?.get(workspace)?.watchers ?? [];
  return watchers.some((watcher) => watcher.needsRow && watcher.tests(namesOfEventKey(eventKey)));
}

function editOf({ row, draft, contact }: AddedEvent, hasRow: boolean): ContactEdit {
  return {
    contactId: contact.id,
    ...(hasRow ? { before: contact as ContactRow } : { contact }),
    names: namesOfEventKey(row.eventKey),
    apply: (data) => withEvent(data!, row),
    at: draft.recordedAt,
  };
}

/** Locks the contacts of the drafts. A refused draft is `null`: it locks no contact, and its contact is `null`. */
async function lockContactsOf(
  work: Work,
  drafts: readonly (EventDraft | null)[],
  reading: Reading<ContactNames>,
): Promise<(ContactNames | null | typeof rowLocked)[]> {
  const accepted = drafts.filter((draft) => draft !== null);
  if (accepted.length === 0) return drafts.map(() => null);
  const located = accepted.map(({ workspace, contact }) => ({ workspace, reference: contact }));
  const contacts = await lockContacts(work, located, reading);
  let next = 0;
  return drafts.map((draft) => (draft === null ? null : (contacts[next++] ?? null)));
}

/**
 * In a caller's transaction an event may have been recorded after the snapshot. After a duplicate, a locking read finds it.
 * It reads by hash before id: a locking read of an absent id would lock the end of the table, where all events are inserted.
 */
async function findRecorded(work: Work, drafts: readonly EventDraft[]): Promise<Row[]> {
  const lock = work.waits && work.duplicateMet ? "FOR UPDATE" : "";
  const hashes = hashesOf(drafts);
  const byHash =
    hashes.length > 0
      ? await work.rows(sql.findEventsByIdempotency(hashes, work.looksFirst ? "FOR UPDATE" : lock))
      : [];
  const known = createIndex(byHash);
  const ids = drafts
    .filter((draft) => lock === "" || (known.byHash(draft) ?? known.byId(draft)) === null)
    .map(({ id }) => id);
  const byId = ids.length > 0 ? await work.rows(sql.findEventsById(ids, lock)) : [];
  return [...byHash, ...byId];
}

function hashesOf(drafts: readonly EventDraft[]): Name[] {
  return drafts.flatMap(({ workspace, idempotencyHash }) =>
    idempotencyHash === null ? [] : [[workspace, idempotencyHash] as const],
  );
}

interface Index {
  add(workspace: string, event: EventRow): void;
  /** Marks a hash that another transaction has recorded but may not have committed. Drafts with it must wait for its end. */
  expect(workspace: string, idempotencyHash: string): void;
  byHash(draft: EventDraft): EventRow | typeof rowLocked | null;
  byId(draft: EventDraft): EventRow | typeof rowLocked | null;
}

function createIndex(rows: readonly Row[]): Index {
  const known = new Map<string, EventRow | typeof rowLocked>();
  const add: Index["add"] = (workspace, event) => {
    known.set(nameIn(workspace, event.id), event);
    if (event.idempotencyHash !== null) known.set(nameIn(workspace, event.idempotencyHash), event);
  };
  for (const row of rows) add(text(row.workspace), toEvent(row));
  return {
    add,
    expect(workspace, idempotencyHash) {
      const name = nameIn(workspace, idempotencyHash);
      if (!known.has(name)) known.set(name, rowLocked);
    },
    byHash: ({ workspace, idempotencyHash }) =>
      (idempotencyHash === null ? null : known.get(nameIn(workspace, idempotencyHash))) ?? null,
    byId: ({ workspace, id }) => known.get(nameIn(workspace, id)) ?? null,
  };
}

function nameIn(workspace: string, idOrHash: string): string {
  return `${workspace} ${idOrHash}`;
}

// The functions below copy field by field, because a spread takes many times as long, for every event.

function copyDraft(draft: EventDraft): EventDraft {
  return {
    workspace: draft.workspace,
    id: draft.id,
    contact: { ...draft.contact },
    eventKey: draft.eventKey,
    properties: draft.properties,
    createdAt: draft.createdAt,
    recordedAt: draft.recordedAt,
    idempotencyHash: draft.idempotencyHash,
    fingerprint: draft.fingerprint,
    mustBeDefined: draft.mustBeDefined,
    ...(draft.notify === false && { notify: false }),
  };
}

function copyRow(event: EventRow): EventRow {
  const { id, contactId, eventKey, properties, createdAt, idempotencyHash, fingerprint, completedItems } = event;
  return { id, contactId, eventKey, properties, createdAt, idempotencyHash, fingerprint, completedItems };
}
