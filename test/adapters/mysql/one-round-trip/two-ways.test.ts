import assert from "node:assert/strict";
import { contactDraft, eventDraft, keyed } from "../../../../adapters/storage-contract/drafts.ts";
import { hostileTexts } from "../../../../adapters/storage-contract/values/hostile-texts.ts";
import { effectiveExternalId } from "../../../../lib/decisions/find-contact.ts";
import { newId } from "../../../../lib/model/ids.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import type { ContactDraft, ContactReference, ContactRow, EventDraft } from "../../../../lib/storage/rows.ts";
import { createRandom, type Random } from "../../../faults/history/random.ts";
import { database, databaseSuite, openMysql } from "../../../support/mysql.ts";
import { query } from "../../../support/queries.ts";

const server = await database();
/** `INPUTS=600000 npm test -- two-ways` takes minutes. */
const inputs = Number(process.env["INPUTS"] ?? 4_000);
const seed = process.env["SEED"] ?? String(Date.now() % 1_000_000);

interface Drafts {
  contact(this: void): ContactDraft;
  /** Takes the contact as it is now. */
  note(this: void, contact: ContactRow): void;
  /** A plain one names a known contact exactly. */
  event(this: void, isPlain: boolean): EventDraft;
}

/** Makes random drafts: of new and known contacts, under all of their names and under others. */
function createDrafts({ next, below, pick }: Random): Drafts {
  const known: ContactRow[] = [];
  const places = new Map<string, number>();
  let at = 1_700_000_000_000;
  const text = (): string => `${pick(hostileTexts)}${pick(hostileTexts)}${pick(["", String(below(3_000))])}`;
  const maybe = <Value>(share: number, make: () => Value): Value | undefined => (next() < share ? make() : undefined);
  const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

  const referencesTo = (email: string, externalId: string): ContactReference[] => [
    { externalId: email },
    { externalId: email.toUpperCase() },
    { externalId: text() },
    { email },
    { externalId },
    { externalId },
  ];

  return {
    contact() {
      const workspace = pick(["default", "wé'\\", "x;--"]);
      const email =
        maybe(0.3, () => known.length > 0 && pick(known).email) || `${text().toLowerCase()}@${below(5_000)}`;
      const externalId = maybe(0.4, text);
      const fields = defined({
        externalId,
        name: maybe(0.5, () => pick([text(), null])),
        plan: maybe(0.3, text),
        signedUpAt: maybe(0.2, () => below(1e12) - 5e11),
      });
      // A put without an email is refused while there is nobody: an event would have no contact.
      const put = maybe(known.length > 0 ? 0.3 : 0, () => ({
        externalId: pick([externalId ?? "one", email.toUpperCase(), known[0]?.externalId ?? email]),
      }));
      if (put === undefined) return contactDraft({ workspace, id: newId(at), email, fields, at: at++ });
      const { externalId: _, ...others } = fields;
      return contactDraft({
        workspace,
        id: newId(at),
        contact: put,
        fields: { ...others, ...(next() < 0.8 && { email }) },
        at: at++,
      });
    },
    note(contact) {
      const place = places.get(contact.id) ?? known.length;
      places.set(contact.id, place);
      known[place] = contact;
    },
    event(isPlain) {
      const contact = pick(known);
      const { workspace, email } = contact;
      const externalId = effectiveExternalId(contact);
      const key = maybe(isPlain ? 0.05 : 0.3, () => keyed(`key ${below(inputs)}`, pick(["one", "other"])));
      return eventDraft({
        workspace,
        id: newId(at),
        contact: isPlain ? { externalId } : pick(referencesTo(email, externalId)),
        eventKey: pick(["one", text().slice(0, 30)]),
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
    const storages = [opened[0].storage, opened[1].open()];
    const random = createRandom(seed);
    const drafts = createDrafts(random);
    const both = async <Answer>(write: (storage: Storage) => Promise<Answer>): Promise<Answer> => {
      const [usual, other] = await Promise.all(storages.map(write));
      assert.deepEqual(other, usual, `seed ${seed}`);
      return usual!;
    };
    try {
      for (let written = 0; written < inputs;) {
        const range = Array.from({ length: random.pick([1, 1, 2, 4, 5, 60, 400]) });
        const contacts = range.map(drafts.contact);
        for (const answer of await both((storage) => storage.upsertContacts(contacts))) {
          if ("contact" in answer) drafts.note(answer.contact);
        }
        const isPlain = random.isOneIn(2);
        const events = range.map(() => drafts.event(isPlain));
        await both((storage) => storage.recordEvents(events));
        written += contacts.length + events.length;
      }
      for (const [table, order] of Object.entries(orders)) {
        const [usual, other] = await Promise.all(
          opened.map(({ url }) => query(url, `SELECT * FROM whodid_${table} ORDER BY ${order}`)),
        );
        assert.ok((usual as unknown[]).length > inputs / 10);
        assert.deepEqual(other, usual, `seed ${seed}`);
      }
    } finally {
      for (const { dispose } of opened) await dispose();
    }
  });
});

const orders = { contacts: "id", events: "id", summaries: "workspace, event_key, contact_id" };
