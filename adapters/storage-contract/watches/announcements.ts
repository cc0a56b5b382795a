/** The tests of subscriptions that announce those who are in an audience already. */
import assert from "node:assert/strict";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { accepted, atOnce } from "../calls.ts";
import { at, audienceDraft, contactDraft, rowsUpTo, subscriptionDraft, workspace, dayMs } from "../drafts.ts";
import type { StorageTest } from "../fresh-storage.ts";
import { readAll } from "../log.ts";
import {
  beginAll,
  changesOf,
  create,
  emailOf,
  noticed,
  recent,
  step,
  stepSilently,
  sweepAll,
  watchDoers,
} from "../watching.ts";

/** Defines the subscription `mail`, which announces, and runs the first passes. */
async function announce(storage: Storage, ...audiences: string[]): Promise<void> {
  accepted(await storage.putDefinition(subscriptionDraft({ key: "mail", on: { audiences }, current: "announce" })));
  await beginAll(storage);
}

/** The changes of `mail`, each with the audience and whether it was announced. */
async function mailed(storage: Storage): Promise<string[]> {
  return (await changesOf(storage, "mail")).map((row) => {
    assert.ok("audienceKey" in row);
    const name = row.contact.email.replace("@example.com", "");
    return `${row.kind.replace("audience_", "")} ${row.audienceKey} ${name}${row.current ? " current" : ""}`;
  });
}

export function announcements(test: StorageTest): void {
  test("a subscription with current takes the changes of its own watches alone", async ({ storage }) => {
    await create(storage, "ada", "bob", "cleo");
    await stepSilently(storage, "ada", "bob");
    await watchDoers(storage, recent);
    const { position } = await readAll(storage, { key: "watch" });
    await announce(storage, "doers");
    assert.deepEqual(
      [await mailed(storage), await noticed(storage)],
      [["entered doers ada current", "entered doers bob current"], []],
    );
    const { next } = await storage.findWork([{ workspace, key: "watch", after: position }]);
    assert.equal(next[0]!.found, false);
    await step(storage, "cleo", at + dayMs);
    await sweepAll(storage, at + 2 * dayMs);
    assert.deepEqual((await mailed(storage)).slice(2), ["entered doers cleo", "left doers ada", "left doers bob"]);
    assert.deepEqual(await noticed(storage), ["audience_entered cleo", "audience_left ada", "audience_left bob"]);
    assert.deepEqual((await storage.listWatches(workspace)).length, 2);
  });

  test("changes of an own watch are found, taken, filtered and removed like others", async ({ storage }) => {
    await create(storage, "ada");
    await stepSilently(storage, "ada");
    await watchDoers(storage);
    accepted(await storage.putDefinition(audienceDraft({ key: "others" })));
    await announce(storage, "doers", "others");
    const { position } = await readAll(storage, { key: "watch" });
    const { changes } = await readAll(storage, { key: "mail" });
    const after = changes[0]!.position - 1;
    const readers = ["mail", "watch"].map((key) => ({ workspace, key, after }));
    const areFound = (await storage.findWork(readers)).next.map(({ found }) => found);
    assert.deepEqual(areFound, [true, false]);
    for (const [key, count] of [
      ["mail", 2],
      ["watch", 0],
    ] as const) {
      const request = { token: newId(at), leaseMs: 1_000, ...rowsUpTo(10) };
      const { slots } = accepted(await storage.takeChanges(workspace, key, request));
      assert.equal(slots.flatMap((slot) => slot.changes).length, count);
    }
    const others = accepted(await storage.listChanges(workspace, "mail", "newest", rowsUpTo(10), "others")).rows;
    assert.deepEqual(
      others,
      changes.filter((row) => "audienceKey" in row && row.audienceKey === "others"),
    );
    while (await storage.removeOldChanges((await storage.readClock()) + 8 * dayMs));
    assert.equal("refused" in (await storage.listChanges(workspace, "watch", position, rowsUpTo(1))), false);
    assert.equal("refused" in (await storage.listChanges(workspace, "mail", after, rowsUpTo(1))), true);
  });

  test("each audience of a subscription is announced once, until the subscription is deleted", async ({ storage }) => {
    await create(storage, "ada");
    await stepSilently(storage, "ada");
    await watchDoers(storage);
    accepted(await storage.putDefinition(audienceDraft({ key: "others" })));
    await announce(storage, "doers");
    await announce(storage, "doers", "others");
    const both = ["entered doers ada current", "entered others ada current"];
    assert.deepEqual(await mailed(storage), both);
    await announce(storage, "others");
    accepted(await storage.putDefinition(subscriptionDraft({ key: "mail", on: { audiences: ["others"] } })));
    await announce(storage, "doers", "others");
    assert.deepEqual(await mailed(storage), both);
    await storage.deleteDefinition(workspace, "subscription", "mail");
    await announce(storage, "others");
    assert.deepEqual(await mailed(storage), both.slice(1));
  });

  test("current on a subscription that exists announces those whose entry it had before", async ({ storage }) => {
    await create(storage, "ada");
    await watchDoers(storage);
    accepted(await storage.putDefinition(subscriptionDraft({ key: "mail", on: { audiences: ["doers"] } })));
    await beginAll(storage);
    await step(storage, "ada");
    const before = await readAll(storage, { key: "mail" });
    assert.equal(before.changes.length, 1);
    await announce(storage, "doers");
    const { changes } = await readAll(storage, { key: "mail", after: before.position });
    assert.deepEqual(
      changes.map((row) => "current" in row && row.current),
      [true],
    );
  });

  test("a changed rule announces nobody, and a pass goes on with one that changes", async ({ storage, begin }) => {
    await create(storage, "ada", "bob", "cleo");
    await stepSilently(storage, "ada", "bob");
    accepted(await storage.putDefinition(audienceDraft()));
    const { inside, rollback } = await begin();
    await step(inside, "bob");
    await announce(storage, "doers");
    assert.deepEqual(await mailed(storage), ["entered doers ada current"]);
    const rule = { kind: "has_not_done", eventKey: "open" } as const;
    accepted(await storage.putDefinition(audienceDraft({ rule })));
    await rollback();
    await beginAll(storage);
    const all = ["ada", "bob", "cleo"].map((name) => `entered doers ${name} current`);
    assert.deepEqual(await mailed(storage), all);
    await stepSilently(storage, "ada");
    accepted(await storage.putDefinition(audienceDraft()));
    await beginAll(storage);
    await sweepAll(storage, at);
    assert.deepEqual(await mailed(storage), all);
  });

  test("first passes that run at once announce each member once", async ({ storage }) => {
    const names = Array.from({ length: 2_100 }, (_, n) => `c${n}`);
    for (let from = 0; from < names.length; from += 300) {
      await storage.upsertContacts(names.slice(from, from + 300).map((name) => contactDraft(emailOf(name))));
    }
    accepted(await storage.putDefinition(audienceDraft({ rule: { kind: "has_not_done", eventKey: "step" } })));
    accepted(
      await storage.putDefinition(
        subscriptionDraft({ key: "mail", on: { audiences: ["doers"] }, current: "announce" }),
      ),
    );
    await atOnce(4, () => beginAll(storage));
    await beginAll(storage);
    const { changes } = await readAll(storage, { key: "mail", limit: 1_000 });
    const emails = changes.map(({ contact }) => ("email" in contact ? contact.email : ""));
    assert.deepEqual(emails.sort(), names.map((name) => emailOf(name).email).sort());
  });
}
