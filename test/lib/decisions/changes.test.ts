import assert from "node:assert/strict";
import { changesOfCompletion, changesOfContact, isTaken } from "../../../lib/decisions/changes.ts";
import { createContact, patchContact } from "../../../lib/decisions/contact-writes.ts";
import type { SubscribedTopics } from "../../../lib/index.ts";
import type { ChangeDraft } from "../../../lib/storage/changes.ts";
import { suite } from "../../support/suite.ts";

const patch = { fields: {}, attributes: {}, definedAttributeIds: [] };
const ada = createContact({ workspace: "acme", id: "1", contact: { email: "ada@example.com" }, at: 0, patch })!;

suite("changes", (test) => {
  test("a subscription takes the changes of its topics alone", () => {
    const contact = { id: "1", email: "ada@example.com", externalId: "ada@example.com" };
    const common = { id: "2", at: 0, contact };
    const changed = { fields: {}, attributes: {} };
    const all: ChangeDraft[] = [
      { ...common, kind: "event_recorded", event: { eventKey: "step", createdAt: 0 } },
      { ...common, kind: "contact_created", changed },
      { ...common, kind: "contact_updated", changed },
      { ...common, kind: "contact_deleted" },
      { ...common, kind: "checklist_completed", checklistKey: "start" },
      { ...common, kind: "audience_entered", audienceKey: "step" },
      { ...common, kind: "audience_left", audienceKey: "start" },
    ];
    const taken = (on: SubscribedTopics): string[] => all.filter((one) => isTaken(on, one)).map(({ kind }) => kind);
    assert.deepEqual(taken({ events: true }), ["event_recorded"]);
    assert.deepEqual(taken({ events: ["other", "step"] }), ["event_recorded"]);
    assert.deepEqual(taken({ events: ["Step"] }), []);
    assert.deepEqual(taken({ contacts: true }), ["contact_created", "contact_updated", "contact_deleted"]);
    assert.deepEqual(taken({ checklists: true }), ["checklist_completed"]);
    assert.deepEqual(taken({ audiences: ["step"] }), ["audience_entered"]);
    assert.deepEqual(taken({ audiences: ["step", "start"] }), ["audience_entered", "audience_left"]);
  });

  test("an update is a change of the fields and attributes that differ, the shown externalId among them", () => {
    const after = patchContact(ada, { ...patch, fields: { email: "bob@example.com" }, attributes: { a: 1 } }, 5);
    const [change, ...others] = changesOfContact(ada, after);
    assert.deepEqual(others, []);
    const moved = { before: "ada@example.com", after: "bob@example.com" };
    assert.ok(change?.kind === "contact_updated" && change.at === 5);
    assert.deepEqual(change.changed, {
      fields: { email: moved, externalId: moved },
      attributes: { a: { before: null, after: 1 } },
    });
  });

  test("a write that changes nothing is no change", () => {
    assert.deepEqual(changesOfContact(ada, ada), []);
  });

  test("a completion without a time or of an unknown checklist is no change", () => {
    const doing = { counts: new Map<string, number>(), completions: [] };
    assert.deepEqual(changesOfCompletion(ada, undefined, { itemKey: "a", completedAt: 0 }, doing), []);
    const body = { name: "Start", items: [{ key: "a", name: "A" }] };
    const checklist = { workspace: "acme", kind: "checklist", key: "start", id: "3", createdAt: 0, body } as const;
    assert.deepEqual(changesOfCompletion(ada, checklist, { itemKey: "a", completedAt: null }, doing), []);
  });
});
