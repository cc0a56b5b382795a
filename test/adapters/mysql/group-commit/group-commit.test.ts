import assert from "node:assert/strict";
import { countOf, newAttributes, recordAll, upsert } from "../../../../adapters/storage-contract/calls.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { attributesOf, contactDraft, eventDraft, keyed } from "../../../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import type { EventDraft } from "../../../../lib/storage/rows.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";
import { countRows, proxiedBy } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";

const server = await database();

/** Creates the contact that the drafts are about. */
async function createAda(storage: Storage): Promise<string> {
  const [ada] = await storage.upsertContacts([contactDraft()]);
  return (ada as { contact: { id: string } }).contact.id;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Each in a call of its own, all at once. */
const recordEach = (storage: Storage, drafts: readonly EventDraft[]): ReturnType<typeof recordAll>[] =>
  drafts.map((draft) => recordAll(storage, [draft]));

databaseSuite("group commit", server, (define) => {
  const test = testsOn(define, proxiedBy(server));
  test("a hundred events, and a hundred contacts, asked for at once are one transaction", async (opened) => {
    const { through, proxy } = opened;
    const adaId = await createAda(through);
    const before = proxy.seen.commits;
    const recorded = await Promise.all(
      recordEach(
        through,
        range(100).map(() => eventDraft()),
      ),
    );
    assert.deepEqual([recorded.flat().length, proxy.seen.commits - before], [100, 1]);
    await Promise.all(range(100).map((n) => through.upsertContacts([contactDraft({ email: `${n}@example.com` })])));
    assert.deepEqual([await countRows(opened, "contacts"), proxy.seen.commits - before], [101, 2]);
    assert.equal(await countOf(through, adaId), 100);
  });

  test("writes asked for during a transaction are written by the next", async ({ through, proxy }) => {
    await createAda(through);
    const before = proxy.seen.commits;
    proxy.freeze();
    const calls: Promise<unknown>[] = [];
    for (let n = 0; n < 20; n++) {
      calls.push(through.recordEvents([eventDraft()]));
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    }
    proxy.thaw();
    await Promise.all(calls);
    assert.equal(proxy.seen.commits - before, 2);
  });

  test("calls that are made one after another are a transaction each", async ({ through, proxy }) => {
    await createAda(through);
    const before = proxy.seen.commits;
    for (let n = 0; n < 3; n++) await through.recordEvents([eventDraft()]);
    assert.equal(proxy.seen.commits - before, 3);
  });

  test("each statement has one text, however many items a batch has", async ({ through, proxy }) => {
    await createAda(through);
    const write = async (count: number): Promise<void> => {
      const drafts = range(count).map((n) => contactDraft({ email: `${n}@example.com`, fields: { name: `${count}` } }));
      await through.upsertContacts(drafts);
      await through.recordEvents(range(count).map((n) => eventDraft(keyed(`${count} ${n}`))));
    };
    // New contacts, and then old and new ones.
    for (const count of [1, 3]) await write(count);
    // A cached list that expires meanwhile may be read on a new connection, by statements that another has prepared.
    const { size } = proxy.texts;
    for (let count = 4; count < 40; count++) await write(count);
    assert.equal(proxy.texts.size, size);
  });

  for (const fate of ["lose answer", "lose commit"] as const) {
    const when = fate === "lose answer" ? "is cut after its COMMIT" : "is cut before its COMMIT arrives";

    test(`of a batch of a hundred events each is recorded and counted once when the connection ${when}`, async (opened) => {
      const { through, proxy } = opened;
      const adaId = await createAda(through);
      proxy.next.push(fate);
      const drafts = range(100).map((n) => eventDraft(n % 2 === 0 ? keyed(`${n}`) : {}));
      const recorded = (await Promise.all(recordEach(through, drafts))).flat();
      assert.deepEqual(
        recorded.map((event) => event?.id),
        drafts.map(({ id }) => id),
      );
      assert.deepEqual([await countRows(opened, "events"), await countOf(through, adaId), proxy.next], [100, 100, []]);
    });

    test(`of a batch of a hundred upserts of ten emails each contact is new to one when the connection ${when}`, async (opened) => {
      opened.proxy.next.push(fate);
      const drafts = range(100).map((n) => contactDraft({ email: `${n % 10}@example.com` }));
      const answers = await Promise.all(drafts.map((draft) => opened.through.upsertContacts([draft])));
      const upserted = answers.flat() as { contact: { email: string; id: string }; created: boolean }[];
      const created = upserted.filter((answer) => answer.created).map(({ contact }) => contact.email);
      assert.deepEqual(
        created.sort(),
        range(10).map((n) => `${n}@example.com`),
      );
      assert.deepEqual([await countRows(opened, "contacts"), opened.proxy.next], [10, []]);
      assert.equal(new Set(upserted.map(({ contact }) => contact.id)).size, 10);
    });
  }

  test("an event that the database refuses is internal, and the other ninety-nine of its batch are written", async (opened) => {
    const { through } = opened;
    const adaId = await createAda(through);
    // 120 bytes in 60 characters: more than the column takes, and no more than the statement reads.
    const drafts = range(100).map((n) => eventDraft(n === 57 ? { eventKey: "é".repeat(60) } : {}));
    const calls = recordEach(through, drafts);
    const refusal = await refusalOf(calls[57]!);
    assert.deepEqual([refusal.code, (refusal.cause as { errno: number }).errno], ["internal", 1406]);
    const others = await Promise.all(calls.filter((_, index) => index !== 57));
    assert.equal(others.flat().filter(Boolean).length, 99);
    assert.equal(await countOf(through, adaId), 99);
  });

  test("a contact that the database refuses is internal, and the other ninety-nine of its batch are written", async (opened) => {
    const fields = (n: number): object => (n === 57 ? { name: "é".repeat(600) } : {});
    const calls = range(100).map((n) => upsert(opened.through, { email: `${n}@example.com`, fields: fields(n) }));
    assert.equal((await refusalOf(calls[57]!)).code, "internal");
    await Promise.all(calls.filter((_, index) => index !== 57));
    assert.equal(await countRows(opened, "contacts"), 99);
  });
});

const narrow = await database(["--max-allowed-packet=2M"]);
const proxiedNarrowly = proxiedBy(narrow);

databaseSuite("group commit on a server that takes packets of 2 MiB", narrow, (test) => {
  test("a hundred small patches of contacts that together hold 5 MiB are written without losing a connection", () =>
    proxiedNarrowly(async ({ through, proxy }) => {
      const ids = await newAttributes(through, 13);
      const attributes = attributesOf(ids, "x".repeat(4_096));
      const emails = range(100).map((n) => `${n}@example.com`);
      for (const email of emails) await through.upsertContacts([contactDraft({ email, attributes })]);
      const { connections } = proxy.seen;
      const drafts = emails.map((email) => contactDraft({ email, fields: { plan: "pro" } }));
      const answers = (await Promise.all(drafts.map((draft) => through.upsertContacts([draft])))).flat();
      assert.equal(proxy.seen.connections, connections);
      assert.deepEqual(new Set(answers.map((answer) => "contact" in answer && answer.contact.plan)), new Set(["pro"]));
    }));
});
