import assert from "node:assert/strict";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { contactDraft, eventDraft, keyed } from "../../../adapters/storage-contract/drafts.ts";
import { hostileTexts } from "../../../adapters/storage-contract/hostile-texts.ts";
import { newId } from "../../../lib/model/ids.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { ContactDraft, ContactReference, EventDraft } from "../../../lib/storage/rows.ts";
import { createRandom, type Random } from "../../faults/history/random.ts";
import { database, databaseSuite, openMysql } from "../../support/mysql.ts";

const server = await database();
/** `INPUTS=600000 npm test -- mysql/two-ways` takes minutes. */
const inputs = Number(process.env["INPUTS"] ?? 4_000);
const seed = process.env["SEED"] ?? String(Date.now() % 1_000_000);

/** Makes random drafts: of new and known contacts, under all of their names and under others. */
function createDrafts({ next, below, pick }: Random): { contact(): ContactDraft; event(): EventDraft } {
  const known: { workspace: string; email: string; externalId?: string }[] = [];
  let at = 1_700_000_000_000;
  const text = (): string => `${pick(hostileTexts)}${pick(hostileTexts)}${pick(["", String(below(3_000))])}`;
  const maybe = <Value>(share: number, make: () => Value): Value | undefined => (next() < share ? make() : undefined);
  const defined = (fields: Record<string, unknown>): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

  function reference(): ContactReference {
    const { email, externalId = email } = pick(known);
    return pick<ContactReference>([
      { externalId },
      { externalId },
      { externalId: email },
      { externalId: email.toUpperCase() },
      { externalId: text() },
      { email },
    ]);
  }

  return {
    contact() {
      const workspace = pick(["default", "wé'\\", "x;--"]);
      const email =
        maybe(0.3, () => known.length > 0 && pick(known).email) || `${text().toLowerCase()}@${below(5_000)}`;
      const externalId = maybe(0.4, text);
      known.push({ workspace, email, ...(externalId !== undefined && { externalId }) });
      const fields = defined({
        externalId,
        name: maybe(0.5, () => pick([text(), null])),
        plan: maybe(0.3, text),
        signedUpAt: maybe(0.2, () => below(1e12) - 5e11),
      });
      return contactDraft({ workspace, id: newId(at), email, fields, at: at++ });
    },
    event() {
      const key = maybe(0.3, () => keyed(`key ${below(inputs)}`, pick(["one", "other"])));
      return eventDraft({
        workspace: pick(known).workspace,
        id: newId(at),
        contact: reference(),
        eventKey: text().slice(0, 30),
        properties: JSON.stringify({ [text()]: text(), number: next(), is: true, none: null }),
        createdAt: below(2e12) - 1e11,
        recordedAt: at++,
        ...key,
      });
    },
  };
}

databaseSuite("a given pool and a URL", server, (test, started) => {
  test("give the same answers and the same rows for random hostile drafts, alone and in batches", async () => {
    const opened = [await openMysql(started), await openMysql(started)] as const;
    const storages = [opened[0].storage, mysqlStorage(opened[1].url)];
    const random = createRandom(seed);
    const drafts = createDrafts(random);
    const both = async (write: (storage: Storage) => Promise<unknown>): Promise<void> => {
      const [usual, other] = await Promise.all(storages.map(write));
      assert.deepEqual(other, usual, `seed ${seed}`);
    };
    try {
      for (let written = 0; written < inputs;) {
        const range = Array.from({ length: random.pick([1, 1, 2, 4, 5, 60, 400]) });
        const contacts = range.map(drafts.contact);
        await both((storage) => storage.upsertContacts(contacts));
        const events = range.map(drafts.event);
        await both((storage) => storage.recordEvents(events));
        written += contacts.length + events.length;
      }
      for (const [table, order] of Object.entries(orders)) {
        const [usual, other] = await Promise.all(
          opened.map(async ({ url }) => {
            const pool = createPool(url);
            const [rows] = await pool
              .query(`SELECT * FROM whodid_${table} ORDER BY ${order}`)
              .finally(() => pool.end());
            return rows;
          }),
        );
        assert.ok((usual as unknown[]).length > inputs / 10);
        assert.deepEqual(other, usual, `seed ${seed}`);
      }
    } finally {
      await storages[1]!.close();
      for (const { dispose } of opened) await dispose();
    }
  });
});

const orders = { contacts: "id", events: "id", summaries: "workspace, event_key, contact_id" };
