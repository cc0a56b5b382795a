/** The tests of writes that let contacts enter and leave watched audiences. */
import assert from "node:assert/strict";
import { accepted, createContact, update, upsert } from "../calls.ts";
import {
  at,
  audienceDraft,
  checklistDraft,
  completionDraft,
  contactDraft,
  definitionDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
  rowsUpTo,
  dayMs,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { subscribe } from "../log.ts";
import {
  beginAll,
  changesOf,
  create,
  createSilently,
  emailOf,
  noticed,
  recent,
  step,
  stepSilently,
  sweepAll,
  watchDoers,
  watchMembers,
} from "../watching.ts";

const hasNotDone = { kind: "has_not_done", eventKey: "step" } as const;

export function watchedWrites(test: StorageTest): void {
  test("an event that lets a contact enter causes a change after its own, with its key", async ({ storage }) => {
    const [id] = await create(storage, "ada");
    await watchDoers(storage);
    const on = { events: ["step"], audiences: ["doers"] };
    accepted(await storage.putDefinition(subscriptionDraft({ key: "both", on })));
    await beginAll(storage);
    await storage.recordEvents([eventDraft({ recordedAt: at + 7 }), eventDraft({ eventKey: "doers" })]);
    await storage.recordEvents([eventDraft()]);
    const rows = await changesOf(storage, "both");
    const kinds = rows.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["event_recorded", "audience_entered", "event_recorded"]);
    const { contact, ...entered } = rows[1]!;
    assert.deepEqual(contact, { id, email: "ada@example.com", externalId: "ada@example.com" });
    assert.deepEqual(
      { at: entered.at, key: "audienceKey" in entered && entered.audienceKey },
      { at: at + 7, key: "doers" },
    );
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
  });

  test("a contact that is created and updated enters and leaves by its fields and attributes", async ({ storage }) => {
    const seats = accepted(await storage.putDefinition(definitionDraft({ type: "number" })));
    await watchMembers(storage, {
      rule: {
        any: [
          { kind: "field", field: "plan", operator: "equals", value: "pro" },
          { kind: "attribute", key: "seats", operator: "greater_than", value: 10 },
        ],
      },
    });
    await createContact(storage, { ...emailOf("ada"), fields: { plan: "pro" } });
    await createContact(storage, emailOf("bob"));
    accepted(await update(storage, { fields: { name: "Ada" } }));
    accepted(await update(storage, { fields: { plan: "free" } }));
    accepted(await upsert(storage, { ...emailOf("bob"), attributes: { [seats.id]: 11 } }));
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada", "audience_entered bob"]);
  });

  test("two writes of a contact in one call both have their changes", async ({ storage }) => {
    await watchMembers(storage, { rule: { kind: "field", field: "plan", operator: "equals", value: "pro" } });
    await storage.upsertContacts([
      contactDraft({ fields: { plan: "pro" } }),
      contactDraft({ fields: { plan: "free" } }),
    ]);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
  });

  test("a completion by hand lets a contact enter", async ({ storage }) => {
    const checklist = accepted(await storage.putDefinition(checklistDraft()));
    await watchMembers(storage, { names: ["ada"], rule: { kind: "checklist_completed", checklistKey: "start" } });
    const completion = completionDraft({ checklistId: checklist.id });
    for (let n = 0; n < 2; n++) await storage.insertCompletion(completion);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
  });

  test("a write before the first pass has reached the contact causes no change", async ({ storage }) => {
    await create(storage, "ada");
    await watchDoers(storage);
    await step(storage, "ada");
    await beginAll(storage);
    assert.deepEqual(await noticed(storage), []);
  });

  test("the changes of one audience are listed alone, if the subscription names it", async ({ storage }) => {
    await create(storage, "ada", "bob");
    accepted(await storage.putDefinition(audienceDraft({ key: "others" })));
    await watchDoers(storage);
    const on = { events: true, contacts: true, checklists: true, audiences: ["doers", "others"] } as const;
    await subscribe(storage, { key: "both", on });
    await beginAll(storage);
    for (const name of ["ada", "bob"]) await step(storage, name);
    const changes = await changesOf(storage, "both");
    const doers = changes.filter((change) => "audienceKey" in change && change.audienceKey === "doers");
    assert.deepEqual([changes.length, doers.length], [6, 2]);
    for (const after of ["newest", null] as const)
      assert.deepEqual(
        accepted(await storage.listChanges(workspace, "both", after, rowsUpTo(10), "doers")).rows,
        doers,
      );
    const list = async (key: string, audienceKey: string) =>
      accepted(await storage.listChanges(workspace, key, "newest", rowsUpTo(1), audienceKey)).rows;
    assert.deepEqual([await list("both", "doers"), await list("watch", "others")], [doers.slice(1), []]);
  });

  test("a write inside a transaction has its changes with the commit alone", async ({ storage, begin }) => {
    await watchMembers(storage, { names: ["ada", "bob"] });
    const undone = await begin();
    await step(undone.inside, "ada");
    await undone.rollback();
    const kept = await begin();
    await step(kept.inside, "bob");
    await step(kept.inside, "bob");
    await kept.commit();
    assert.deepEqual(await noticed(storage), ["audience_entered bob"]);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered bob"]);
  });
}

export function silentWrites(test: StorageTest): void {
  test("writes with notify false change who is a member, without changes", async ({ storage }) => {
    await create(storage, "ada", "bob");
    await watchMembers(storage, {
      rule: {
        all: [hasNotDone, { kind: "field", field: "name", operator: "is_set", value: false }],
      },
    });
    await createSilently(storage, "cyd");
    await stepSilently(storage, "ada", "ada");
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), []);
    await step(storage, "cyd");
    accepted(await update(storage, { externalId: "bob@example.com", fields: { name: "Bob" } }));
    assert.deepEqual(await noticed(storage), ["audience_left cyd", "audience_left bob"]);
  });

  test("a silent completion by hand lets a contact enter without a change", async ({ storage }) => {
    const checklist = accepted(await storage.putDefinition(checklistDraft()));
    await watchMembers(storage, { names: ["ada"], rule: { kind: "checklist_completed", checklistKey: "start" } });
    await storage.insertCompletion(completionDraft({ checklistId: checklist.id, notify: false }));
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), []);
  });

  test("a silent write leaves a difference that it did not make to be announced", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: recent });
    await step(storage, "ada");
    // The contact has left, as time has passed. The event of the past does not change that.
    const [watch] = await storage.listWatches(workspace);
    assert.equal(watch!.clock, at);
    accepted(await storage.putDefinition(definitionDraft()));
    await storage.recordEvents([eventDraft({ createdAt: at - 9 * dayMs, notify: false })]);
    await sweepAll(storage, at + 2 * dayMs);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
  });

  test("loud and silent events of one call each have their own effect", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada", "bob", "cyd"] });
    await storage.recordEvents([
      eventDraft({ contact: emailOf("ada"), notify: false }),
      eventDraft({ contact: emailOf("ada") }),
      eventDraft({ contact: emailOf("bob") }),
      eventDraft({ contact: emailOf("bob"), notify: false }),
      eventDraft({ contact: emailOf("cyd"), notify: false }),
    ]);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered bob"]);
  });
}
