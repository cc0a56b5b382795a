/** The tests of the watches themselves: definitions, first passes and sweeps. */
import assert from "node:assert/strict";
import { atOnce, accepted, refused, update } from "../calls.ts";
import {
  at,
  audienceDraft,
  checklistDraft,
  contactDraft,
  definitionDraft,
  subscriptionDraft,
  workspace,
  dayMs,
} from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { beginAll, create, emailOf, noticed, recent, step, sweepAll, watchDoers, watchMembers } from "../watching.ts";

const opened = { kind: "has_done", eventKey: "open" } as const;

export function watchedDefinitions(test: StorageTest): void {
  test("a subscription to an audience that is not defined is refused", async ({ storage }) => {
    const answer = await storage.putDefinition(subscriptionDraft({ on: { audiences: ["doers"] } }));
    assert.deepEqual(refused(answer, "invalid_input").issues, ["on.audiences.0 audience_not_defined"]);
  });

  test("an audience that a subscription names is not deleted", async ({ storage }) => {
    await watchDoers(storage);
    refused(Object(await storage.deleteDefinition(workspace, "audience", "doers")), "definition_in_use");
    await storage.deleteDefinition(workspace, "subscription", "watch");
    assert.equal(await storage.deleteDefinition(workspace, "audience", "doers"), true);
  });

  test("only audiences that a subscription names are watched, until it is deleted", async ({ storage }) => {
    const keys = async (of: string) => (await storage.listWatches(of)).map(({ audienceKey }) => audienceKey);
    accepted(await storage.putDefinition(audienceDraft({ key: "others" })));
    await watchDoers(storage);
    assert.deepEqual([await keys(workspace), await keys("other"), await storage.listSweeps()], [["doers"], [], []]);
    await storage.deleteDefinition(workspace, "subscription", "watch");
    assert.deepEqual(await keys(workspace), []);
    await beginAll(storage);
    assert.equal(await storage.beginWatches(at), false);
  });

  test("the first pass stores the members without changes, and then the watch is ready", async ({ storage }) => {
    await create(storage, "ada", "bob");
    await step(storage, "ada");
    await watchDoers(storage);
    assert.equal((await storage.listWatches(workspace))[0]!.readyAt, null);
    await beginAll(storage, at + 5);
    const [watch] = await storage.listWatches(workspace);
    assert.ok(Math.abs(watch!.readyAt! - (await storage.readClock())) < 60_000);
    assert.equal(watch!.clock, at + 5);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), []);
  });

  test("a rule that is defined anew begins a new first pass, without changes", async ({ storage }) => {
    await create(storage, "ada", "bob");
    await watchDoers(storage);
    await step(storage, "ada");
    await beginAll(storage);
    const [before] = await storage.listWatches(workspace);
    accepted(await storage.putDefinition(audienceDraft({ name: "Renamed" })));
    assert.deepEqual(await storage.listWatches(workspace), [before]);
    accepted(await storage.putDefinition(audienceDraft({ rule: { not: { kind: "has_done", eventKey: "step" } } })));
    const [after] = await storage.listWatches(workspace);
    assert.deepEqual([after!.readyAt, after!.id === before!.id], [null, false]);
    await beginAll(storage);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), []);
    await step(storage, "bob");
    assert.deepEqual(await noticed(storage), ["audience_left bob"]);
  });

  test("a rule that is defined anew with announce lets contacts enter and leave with changes", async ({ storage }) => {
    await create(storage, "ada", "bob");
    await step(storage, "ada");
    await watchMembers(storage);
    const rule = { not: { kind: "has_done", eventKey: "step" } } as const;
    const stored = await storage.putDefinition(audienceDraft({ rule, announce: true }));
    assert.deepEqual(accepted(stored).body, { name: "Doers", rule });
    assert.notEqual((await storage.listWatches(workspace))[0]!.readyAt, null);
    await sweepAll(storage, at);
    assert.deepEqual((await noticed(storage)).sort(), ["audience_entered bob", "audience_left ada"]);
  });

  test("a checklist of a watched rule that is defined anew begins a new first pass", async ({ storage }) => {
    accepted(await storage.putDefinition(checklistDraft({ items: [{ key: "open", name: "Open", when: opened }] })));
    await create(storage, "ada");
    await step(storage, "ada");
    await watchMembers(storage, { rule: { kind: "checklist_completed", checklistKey: "start" } });
    const when = { kind: "has_done", eventKey: "step" } as const;
    accepted(await storage.putDefinition(checklistDraft({ items: [{ key: "open", name: "Open", when }] })));
    assert.equal((await storage.listWatches(workspace))[0]!.readyAt, null);
    await beginAll(storage);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), []);
  });

  test("a second subscription to an audience shares its watch", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"] });
    const [watch] = await storage.listWatches(workspace);
    accepted(await storage.putDefinition(subscriptionDraft({ key: "second", on: { audiences: ["doers"] } })));
    assert.deepEqual(await storage.listWatches(workspace), [watch]);
    await step(storage, "ada");
    assert.deepEqual(
      [await noticed(storage), await noticed(storage, "second")],
      [["audience_entered ada"], ["audience_entered ada"]],
    );
  });
}

export function sweeps(test: StorageTest): void {
  test("a sweep announces who enters and leaves as time passes, once", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada", "bob"], rule: recent });
    await step(storage, "ada");
    await step(storage, "bob", at + dayMs);
    await sweepAll(storage, at + dayMs);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_entered bob"]);
    await sweepAll(storage, at + dayMs + 1);
    await sweepAll(storage, at + dayMs + 1);
    assert.deepEqual((await noticed(storage)).slice(2), ["audience_left ada"]);
  });

  test("a write leaves to the next sweep what only the clock of a watch sees, which is behind", async ({ storage }) => {
    const { id } = accepted(await storage.putDefinition(definitionDraft({ key: "ends", type: "date" })));
    const value = { next: { days: 3 } };
    await watchMembers(storage, {
      names: ["ada"],
      rule: { kind: "attribute", key: "ends", operator: "within", value },
    });
    const write = async (now: number, ends: number) =>
      accepted(await update(storage, { at: at + now * dayMs, attributes: { [id]: at + ends * dayMs } }));
    await write(0, 1);
    await write(0.5, 3.25);
    await sweepAll(storage, at + dayMs / 2);
    assert.deepEqual(await noticed(storage), ["audience_entered ada"]);
    await write(1, 5);
    for (const now of [2, 3]) await sweepAll(storage, at + now * dayMs);
    assert.deepEqual((await noticed(storage)).slice(1), ["audience_left ada", "audience_entered ada"]);
  });

  test("a clock of a watch does not go back", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: recent });
    await step(storage, "ada");
    await sweepAll(storage, at + 2 * dayMs);
    await sweepAll(storage, at);
    assert.deepEqual(await noticed(storage), ["audience_entered ada", "audience_left ada"]);
    assert.equal((await storage.listWatches(workspace))[0]!.clock, at + 2 * dayMs);
  });

  test("sweeps that run at once announce each difference once", async ({ storage }) => {
    const names = Array.from({ length: 20 }, (_, index) => `contact${index}`);
    await create(storage, ...names);
    await watchMembers(storage, { rule: recent });
    for (const name of names) await step(storage, name);
    await atOnce(4, () => sweepAll(storage, at + 2 * dayMs));
    const left = (await noticed(storage)).filter((one) => one.startsWith("audience_left"));
    assert.deepEqual(left.sort(), names.map((name) => `audience_left ${name}`).sort());
  });

  test("a sweep and a first pass do not wait for a contact that is locked", async ({ storage, begin }) => {
    await create(storage, "ada", "bob");
    await watchDoers(storage, recent);
    const first = await begin();
    await step(first.inside, "ada");
    await beginAll(storage);
    assert.equal((await storage.listWatches(workspace))[0]!.readyAt, null);
    await first.rollback();
    await beginAll(storage);
    await step(storage, "ada");
    await step(storage, "bob");
    const second = await begin();
    await step(second.inside, "ada");
    await sweepAll(storage, at + 2 * dayMs);
    assert.deepEqual((await noticed(storage)).slice(2), ["audience_left bob"]);
    await second.rollback();
    await sweepAll(storage, at + 2 * dayMs);
    assert.deepEqual((await noticed(storage)).slice(3), ["audience_left ada"]);
  });

  test("a sweep that was cut off is gone on with by the next step", async ({ storage }) => {
    // More than two steps of each storage look at.
    const drafts = Array.from({ length: 4_500 }, (_, n) => contactDraft({ ...emailOf(`c${n}`), notify: false }));
    for (let from = 0; from < drafts.length; from += 500) await storage.upsertContacts(drafts.slice(from, from + 500));
    await watchMembers(storage, { rule: recent });
    await step(storage, "c0");
    await step(storage, "c4499");
    const later = at + 2 * dayMs;
    assert.equal(await storage.sweep(workspace, later), true);
    assert.deepEqual((await noticed(storage)).slice(2), ["audience_left c0"]);
    const [{ position } = { position: null }] = await storage.listSweeps();
    assert.deepEqual([(await storage.listWatches(workspace))[0]!.position, position === null], [position, false]);
    await step(storage, "c0", later - dayMs / 2);
    await sweepAll(storage, later + dayMs);
    assert.deepEqual((await noticed(storage)).slice(3), ["audience_entered c0", "audience_left c4499"]);
    assert.equal((await storage.listSweeps())[0]!.position, null);
    await sweepAll(storage, later + dayMs);
    assert.deepEqual((await noticed(storage)).slice(5), ["audience_left c0"]);
  });

  test("one of several calls claims a sweep", async ({ storage }) => {
    assert.equal(await storage.claimSweep(workspace, 0), false);
    await watchMembers(storage);
    const answers = await atOnce(4, () => storage.claimSweep(workspace, 60_000));
    assert.equal(answers.filter(Boolean).length, 1);
    assert.equal(await storage.claimSweep(workspace, 0), true);
    await sweepAll(storage, at);
    assert.equal(await storage.claimSweep(workspace, 60_000), false);
    const [sweep, ...others] = await storage.listSweeps();
    assert.ok(sweep && Math.abs(sweep.sweptAt - (await storage.readClock())) < 60_000);
    assert.deepEqual([sweep.workspace, others], [workspace, []]);
    accepted(await storage.putDefinition(audienceDraft({ key: "second" })));
    accepted(await storage.putDefinition(subscriptionDraft({ key: "other", on: { audiences: ["second"] } })));
    assert.deepEqual(await storage.listSweeps(), [sweep]);
    await beginAll(storage);
    assert.deepEqual(await storage.listSweeps(), [{ workspace, sweptAt: 0, position: null }]);
  });

  test("a contact that is deleted is in no audience, without a change", async ({ storage }) => {
    await watchMembers(storage, { names: ["ada"], rule: recent });
    await step(storage, "ada");
    accepted(await storage.deleteContact(workspace, emailOf("ada").email, at));
    await sweepAll(storage, at + 2 * dayMs);
    assert.deepEqual(await noticed(storage), []);
  });
}
