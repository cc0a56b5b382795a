/** A workspace with a row of every kind, and all that is read of one. */
import assert from "node:assert/strict";
import { newId } from "../../lib/model/ids.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Condition } from "../../lib/storage/rows.ts";
import { accepted, createContact, recordEvent } from "./calls.ts";
import * as drafts from "./drafts.ts";
import { logAll, subscribe } from "./log.ts";

const { at, dayMs, keyed, rowsUpTo, wholeList } = drafts;

/** A contact with a row of every kind, definitions that watch it, changes and an API key. */
export async function fillWorkspace(storage: Storage, name: string): Promise<void> {
  const parts = { workspace: name };
  accepted(await storage.putDefinition(drafts.definitionDraft(parts)));
  accepted(await storage.putDefinition(drafts.audienceDraft(parts)));
  const { id: checklistId } = accepted(await storage.putDefinition(drafts.checklistDraft(parts)));
  await subscribe(storage, { ...parts, on: { contacts: true, events: true, audiences: ["doers"] } });
  accepted(await storage.putDefinition(drafts.webhookDraft(parts)));
  accepted(await storage.insertSecret(name, "hook", { id: newId(at), secret: "whsec_" }));
  while (await storage.beginWatches(at));
  await createContact(storage, { ...parts, fields: { externalId: "u_1" } });
  await recordEvent(storage, { ...parts, ...keyed("k") });
  await logAll(storage);
  await recordEvent(storage, parts);
  const contact = { workspace: name, externalId: "u_1", checklistId };
  await storage.insertCompletion({ ...contact, itemKey: "hand", completedAt: at });
  await storage.putDismissal({ ...contact, dismissedAt: at });
  const key = drafts.apiKeyRow(parts);
  await storage.insertApiKey(key);
  await storage.consume(key.id, 100, { startsAt: 0, endsAt: 60_000, now: 1 }, 1);
  await storage.markPruned(name, at - 1_000);
}

const conditions: readonly Condition[] = [
  { eventKey: "step", field: "count", from: 1, to: null },
  { not: { eventKey: "none", field: "count", from: 1, to: null } },
  { eventKey: "step", count: 1, from: at, to: null, where: [] },
  { contactField: "email", operator: "is_set" },
];
const kinds = ["attribute", "audience", "checklist", "subscription"] as const;

/** All lists of a workspace that `fillWorkspace` has filled, or of an empty one. Each number must be that of its list. */
export async function contentOf(storage: Storage, workspace: string): Promise<readonly object[][]> {
  await logAll(storage);
  const ada = await storage.findContact(workspace, { externalId: "u_1" });
  const contacts = (await storage.listContacts(workspace, wholeList)).rows;
  assert.equal(await storage.countContacts(workspace), contacts.length);
  const members: object[][] = [];
  for (const condition of conditions) {
    const { rows } = await storage.listMembers(workspace, condition, wholeList);
    assert.equal(await storage.countMembers(workspace, condition), rows.length);
    members.push(rows);
  }
  const events = (await storage.listRecorded(workspace, null, rowsUpTo(100))).events;
  const [activity] = await storage.countActivity(workspace, null, [{ from: at, to: at + dayMs }], at);
  const counted = { events: events.length, contacts: contacts.length, newContacts: contacts.length };
  assert.deepEqual(activity, counted);
  const changes = await storage.listChanges(workspace, "all", null, rowsUpTo(100));
  return [
    ada ? [ada] : [],
    contacts,
    (await storage.listContacts(workspace, { ...wholeList, query: "ada" })).rows,
    ...members,
    events,
    (await storage.listEvents(workspace, "u_1", null, wholeList))?.rows ?? [],
    (await storage.listRecentEvents(workspace, null, wholeList)).rows,
    (await storage.listRecentEvents(workspace, "step", wholeList)).rows,
    (await storage.listEventUsage(workspace, null, rowsUpTo(100))).rows,
    ...(await ofContact(storage, workspace, ada?.id ?? newId(at))),
    "refused" in changes ? [] : changes.rows,
    await storage.listApiKeys(workspace),
    await storage.listWatches(workspace),
    (await Promise.all(kinds.map((kind) => storage.listDefinitions(workspace, kind)))).flat(),
  ];
}

/** The lists that are read by the id of a contact. */
export async function ofContact(storage: Storage, workspace: string, contactId: string): Promise<object[][]> {
  return [
    await storage.findSummaries(workspace, contactId),
    await storage.findCompletions(workspace, contactId),
    await storage.findDismissals(workspace, contactId),
  ];
}
