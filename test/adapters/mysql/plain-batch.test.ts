import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createPool } from "mysql2/promise";
import { plainBatch } from "../../../adapters/mysql/events/plain-batch.ts";
import { mysqlStorage, type MysqlStorage } from "../../../adapters/mysql/index.ts";
import { recordAll, recordEvent } from "../../../adapters/storage-contract/calls.ts";
import {
  contactDraft,
  eventDraft,
  keyed,
  newIds,
  wholeList,
  workspace,
} from "../../../adapters/storage-contract/drafts.ts";
import type { ChecklistRow, EventDraft } from "../../../lib/storage/rows.ts";
import { database, databaseSuite } from "../../support/mysql.ts";
import { countRows, proxiedBy, type Proxied } from "../../support/proxied.ts";
import { suite } from "../../support/suite.ts";

const server = await database();
const proxied = proxiedBy(server);

const named = (n: number): Partial<EventDraft> => ({ contact: { externalId: `${n}@example.com` } });

async function createContacts({ through }: Proxied, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, n) => contactDraft({ email: `${n}@example.com` }));
  await through.upsertContacts(drafts);
}

/** How many requests the database gets for the events, once those of the same kind have been prepared. */
async function requestsFor(storage: MysqlStorage, { proxy }: Proxied, drafts: () => EventDraft[]): Promise<number> {
  await recordAll(storage, drafts());
  const { queried, executed } = proxy.seen;
  await recordAll(storage, drafts());
  return proxy.seen.queried - queried + (proxy.seen.executed - executed);
}

async function countOf(storage: MysqlStorage, n: number): Promise<number | undefined> {
  const contact = await storage.findContact(workspace, `${n}@example.com`);
  return (await storage.findSummaries(workspace, contact!.id))[0]?.count;
}

suite("a batch of events without surprises", (test) => {
  const drafts = [eventDraft(named(0)), eventDraft(named(1)), eventDraft({ ...named(0), workspace: "other" })];
  const [first, second] = drafts as [EventDraft, EventDraft];
  const refusal = { refused: { code: "definition_not_found" } } as const;
  const checklist = {
    body: { items: [{ key: "stepped", name: "Stepped", when: { kind: "has_done", eventKey: "step" } }] },
  } as unknown as ChecklistRow;
  const accepted = { checklists: new Map(), refusals: drafts.map(() => null) };

  test("is one statement, of several workspaces too", () => {
    assert.ok(plainBatch(drafts, accepted));
    assert.ok(plainBatch([first], { ...accepted, refusals: [null] }));
    assert.ok(plainBatch([first, second], { ...accepted, checklists: new Map([["other", [checklist]]]) }));
  });

  const surprises: Record<string, Parameters<typeof plainBatch>> = {
    "a contact named by its email": [[first, { ...second, contact: { email: "b@example.com" } }], accepted],
    "an Idempotency-Key": [[first, { ...second, ...keyed("k") }], accepted],
    "a refusal": [drafts, { ...accepted, refusals: [null, refusal, null] }],
    "an item that it may complete": [drafts, { ...accepted, checklists: new Map([["other", [checklist]]]) }],
  };
  for (const [surprise, given] of Object.entries(surprises)) {
    test(`is not one with ${surprise}`, () => assert.equal(plainBatch(...given), null));
  }
});

/** Rejects if a transaction has locked a contact. */
async function assertUnlocked({ pool }: Proxied): Promise<void> {
  await pool.query("SELECT id FROM whodid_contacts FOR UPDATE NOWAIT");
}

databaseSuite("events in one round trip", server, (test) => {
  const one = (): EventDraft[] => [eventDraft(named(1))];
  const many = (): EventDraft[] => [eventDraft(named(0)), eventDraft(named(1)), eventDraft(named(0))];

  test("one, or many where nothing has to be decided, take one, and others the usual ones", () =>
    proxied(async (opened) => {
      await createContacts(opened, 2);
      const [[version]] = (await opened.pool.query("SELECT VERSION() AS text")) as unknown as [{ text: string }[]];
      const isMariadb = version!.text.includes("MariaDB");
      assert.equal(await requestsFor(opened.through, opened, many), isMariadb ? 1 : 4);
      assert.equal(await requestsFor(opened.through, opened, one), isMariadb ? 1 : 4);
      let key = 0;
      const others = (): EventDraft[] => [...many(), eventDraft({ ...named(0), ...keyed(`${key++}`) })];
      assert.ok((await requestsFor(opened.through, opened, others)) >= 4);
      assert.deepEqual([await countOf(opened.storage, 0), await countOf(opened.storage, 1)], [6 + 4, 6]);
    }));

  test("a given pool, whose session settings are its own, takes the usual ones", () =>
    proxied(async (opened) => {
      await createContacts(opened, 2);
      const pool = createPool(opened.proxy.url);
      assert.ok((await requestsFor(mysqlStorage(pool), opened, many)) >= 4);
      await pool.end();
    }));

  test("an unknown contact, and one named in another case, are decided as ever, alone and beside others", () =>
    proxied(async (opened) => {
      await createContacts(opened, 2);
      const odd = [
        eventDraft({ contact: { externalId: "nobody" } }),
        eventDraft({ contact: { externalId: "1@EXAMPLE.com" } }),
      ];
      const drafts = [eventDraft(named(0)), ...odd, eventDraft(named(0))];
      const idsOf = async (batch: EventDraft[]): Promise<(string | null)[]> =>
        (await recordAll(opened.through, batch)).map((event) => event?.id ?? null);
      assert.deepEqual(await idsOf(drafts), [drafts[0]!.id, null, drafts[2]!.id, drafts[3]!.id]);
      for (const draft of odd) {
        const again = { ...draft, id: newIds(1)[0]! };
        assert.deepEqual(await idsOf([again]), [draft === odd[0] ? null : again.id]);
      }
      assert.deepEqual([await countOf(opened.storage, 0), await countOf(opened.storage, 1)], [2, 2]);
      // Nothing of a batch was written before it was decided.
      assert.deepEqual([await countRows(opened, "events"), opened.through.stats().retries], [4, {}]);
    }));

  test("each event keeps its time, and each summary the first and the last of its own", () =>
    proxied(async (opened) => {
      await createContacts(opened, 2);
      const drafts = [5, 3, 8].map((createdAt, n) =>
        eventDraft({ ...named(n === 2 ? 1 : 0), createdAt, eventKey: "past" }),
      );
      drafts.push(eventDraft({ ...named(0), createdAt: 9, eventKey: "other" }));
      await recordAll(opened.through, drafts);
      await recordAll(opened.through, [eventDraft({ ...named(1), createdAt: 4, eventKey: "past" })]);
      const summariesOf = async (n: number): Promise<unknown> => {
        const { id } = (await opened.storage.findContact(workspace, `${n}@example.com`))!;
        return opened.storage.findSummaries(workspace, id);
      };
      assert.deepEqual(await summariesOf(0), [
        { eventKey: "other", count: 1, firstAt: 9, lastAt: 9 },
        { eventKey: "past", count: 2, firstAt: 3, lastAt: 5 },
      ]);
      assert.deepEqual(await summariesOf(1), [{ eventKey: "past", count: 2, firstAt: 4, lastAt: 8 }]);
    }));

  test("an event that was recorded before is answered as it was, and the others of its batch are recorded", () =>
    proxied(async (opened) => {
      await createContacts(opened, 1);
      const first = eventDraft(named(0));
      const [before] = await recordAll(opened.through, [first]);
      const other = eventDraft(named(0));
      const again = await recordAll(opened.through, [{ ...first, eventKey: "other" }, other]);
      assert.deepEqual(again[0], before);
      assert.equal(again[1]?.id, other.id);
      assert.equal(await countOf(opened.storage, 0), 2);
    }));

  for (const [how, batches] of Object.entries({
    "each alone": [[0], [1]],
    "beside others": [
      [0, 2],
      [1, 2],
    ],
  })) {
    test(`contacts that somebody holds, ${how}, keep no other's events waiting, and none of their own is lost`, () =>
      proxied(async (opened) => {
        const { through, proxy } = opened;
        await createContacts(opened, 3);
        const connection = await opened.pool.getConnection();
        await connection.beginTransaction();
        await connection.query(
          "SELECT id FROM whodid_contacts WHERE workspace = 'acme' AND email IN ('0@example.com', '1@example.com') FOR UPDATE",
        );
        const recording: Promise<unknown>[] = [];
        for (const batch of batches) {
          const { executed } = proxy.seen;
          recording.push(...batch.map((n) => recordEvent(through, named(n))));
          while (proxy.seen.executed === executed) await nextTurn();
        }
        await recordEvent(through, named(2));
        // Nobody has waited for a row until the database gave it up.
        assert.equal(through.stats().retries["1205"], undefined);
        assert.equal(await countOf(opened.storage, 0), undefined);
        await connection.commit();
        connection.release();
        await Promise.all(recording);
        const counts = await Promise.all([0, 1, 2].map((n) => countOf(opened.storage, n)));
        assert.deepEqual(counts, [1, 1, batches.flat().length - 2 + 1]);
      }));
  }

  for (const fate of ["lose answer", "lose commit"] as const) {
    const when = fate === "lose answer" ? "once it was executed" : "before it arrives";

    test(`each event of a batch is there once when the connection is cut ${when}`, () =>
      proxied(async (opened) => {
        await createContacts(opened, 10);
        // Prepares the statement: only its execution is a transaction.
        await recordEvent(opened.through, named(0));
        opened.proxy.next.push(fate);
        const drafts = newIds(100).map((id, n) => eventDraft({ ...named(n % 10), id }));
        const recorded = await Promise.all(drafts.map((draft) => recordAll(opened.through, [draft])));
        assert.deepEqual(
          recorded.flat().map((event) => event?.id),
          drafts.map(({ id }) => id),
        );
        assert.deepEqual([await countRows(opened, "events"), opened.proxy.next], [101, []]);
        assert.deepEqual([await countOf(opened.storage, 0), await countOf(opened.storage, 9)], [11, 10]);
      }));
  }

  test("an error leaves nothing of the batch, no lock, and no open transaction on a connection", () =>
    proxied(async (opened) => {
      await createContacts(opened, 2);
      const long = recordEvent(opened.through, { ...named(0), eventKey: "é".repeat(60) });
      const other = recordEvent(opened.through, named(1));
      await assert.rejects(long, { code: "internal" });
      await other;
      assert.equal(await countRows(opened, "events"), 1);
      await assertUnlocked(opened);
    }));

  // A lock wait timeout, which rolls back one statement alone, and any other error.
  for (const number of [1205, 1264]) {
    test(`a transaction that error ${number} ends in the middle leaves nothing, and is tried again`, () =>
      proxied(async (opened) => {
        await createContacts(opened, 2);
        const begun = "BEGIN NOT ATOMIC\nSTART TRANSACTION;\nUPDATE whodid_contacts SET name = 'half';\n";
        const send = `${begun}SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${number};\nEND`;
        opened.proxy.instead.push({ of: "whodid:recordPlainEvents", send });
        const [recorded] = await recordAll(opened.through, [eventDraft(named(0))]);
        await recordAll(opened.through, [eventDraft({ ...named(0), ...keyed("k") })]);
        assert.deepEqual([recorded?.eventKey, await countOf(opened.storage, 0), opened.proxy.instead], ["step", 2, []]);
        const contact = await opened.storage.findContact(workspace, "0@example.com");
        assert.equal(contact?.name, null);
        await assertUnlocked(opened);
      }));
  }

  test("text of every kind is stored as it is, alone and beside others", () =>
    proxied(async (opened) => {
      const odd = "a\"\\\u{1F600}é'$[0]";
      await opened.through.upsertContacts([contactDraft({ workspace: "wé", fields: { externalId: odd } })]);
      const draft = (): EventDraft =>
        eventDraft({
          workspace: "wé",
          contact: { externalId: odd },
          eventKey: odd,
          properties: JSON.stringify({ [odd]: `${odd}\0\n` }),
        });
      const recorded = await recordAll(opened.through, [draft()]);
      recorded.push(...(await recordAll(opened.through, [draft(), draft()])));
      const events = await opened.storage.listEvents("wé", odd, null, wholeList);
      assert.deepEqual(events, recorded.toReversed());
      for (const event of recorded) assert.deepEqual([event?.eventKey, event?.properties], [odd, draft().properties]);
    }));
});
