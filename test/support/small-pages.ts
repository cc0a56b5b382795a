/** Pages that have room for one row each. Everything that reads pages must still give every row once. */
import assert from "node:assert/strict";
import { exportContacts, exportEvents } from "../../lib/exports/all.ts";
import {
  createTracker,
  type Change,
  type Page,
  type PageRequest,
  type Storage,
  type Tracker,
} from "../../lib/index.ts";
import type { Scope } from "../../lib/scope.ts";
import type { PageSize } from "../../lib/storage/rows.ts";
import { accepted } from "../../adapters/storage-contract/calls.ts";
import type { Test } from "./suite.ts";

const did = { kind: "has_done", eventKey: "step" } as const;
const lately = { kind: "last_done_within", eventKey: "step", period: { days: 7 } } as const;
const externalIds = [0, 1, 2].map((n) => `c${n}@example.com`);

/** The storage, with pages of one row. `calls` counts the calls that list changes. */
function withSmallPages(storage: Storage, calls = { listChanges: 0 }): Storage {
  const small = <Size extends PageSize>(size: Size): Size => ({ ...size, maxBytes: 1 });
  return {
    ...storage,
    listContacts: (workspace, slice) => storage.listContacts(workspace, small(slice)),
    listEvents: (workspace, externalId, key, slice) => storage.listEvents(workspace, externalId, key, small(slice)),
    listRecentEvents: (workspace, key, slice) => storage.listRecentEvents(workspace, key, small(slice)),
    listRecorded: (workspace, after, size) => storage.listRecorded(workspace, after, small(size)),
    listEventUsage: (workspace, after, size) => storage.listEventUsage(workspace, after, small(size)),
    listMembers: (workspace, condition, slice) => storage.listMembers(workspace, condition, small(slice)),
    listParked: (workspace, key, slice) => storage.listParked(workspace, key, small(slice)),
    takeChanges: (workspace, key, request) => storage.takeChanges(workspace, key, small(request)),
    listChanges(workspace, key, after, size, audienceKey) {
      calls.listChanges++;
      return storage.listChanges(workspace, key, after, small(size), audienceKey);
    },
    transaction: (run) => storage.transaction((inside, connection) => run(withSmallPages(inside), connection)),
  };
}

/** Three contacts with three events each, which are members of two audiences. */
async function populate(storage: Storage, now: () => Date): Promise<Tracker> {
  const tracker = createTracker({ storage, now });
  await tracker.audiences.define({ key: "did", name: "Did", rule: did });
  await tracker.audiences.define({ key: "lately", name: "Lately", rule: lately });
  await tracker.subscriptions.define({
    key: "all",
    on: { events: true, contacts: true, audiences: ["did", "lately"] },
  });
  await tracker.work({ until: "caught-up" });
  for (const email of externalIds) {
    await tracker.contacts.upsert({ email });
    for (const eventKey of ["step", "other", "step"]) await tracker.events.track({ externalId: email, eventKey });
  }
  await tracker.eventTypes.define({ key: "defined" });
  await tracker.eventTypes.define({ key: "step" });
  await tracker.work({ until: "caught-up" });
  return tracker;
}

async function allOf<Item>(loop: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of loop) items.push(item);
  return items;
}

/** Reads page by page, with the largest limit. */
async function pagesOf(list: (page: PageRequest) => Promise<Page<unknown>>): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor }: Page<unknown> = await list({ limit: 1_000, cursor });
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = nextCursor;
  }
}

const lists: Record<string, (tracker: Tracker, page: PageRequest) => Promise<Page<unknown>>> = {
  contacts: ({ contacts }, page) => contacts.list(page),
  "the newest contacts": ({ contacts }, page) => contacts.list({ ...page, order: "newest" }),
  "contacts found": ({ contacts }, page) => contacts.list({ ...page, query: "c" }),
  "contacts found by word": ({ contacts }, page) => contacts.list({ ...page, query: "example" }),
  events: ({ events }, page) => events.list("c0@example.com", page),
  "events of a key": ({ events }, page) => events.list("c0@example.com", { ...page, eventKey: "step" }),
  "recent events": ({ events }, page) => events.recent(page),
  usage: ({ eventTypes }, page) => eventTypes.usage(page),
  members: ({ audiences }, page) => audiences.members("did", page),
  others: ({ audiences }, page) => audiences.members({ not: { ...did, eventKey: "none" } }, page),
  parked: ({ subscriptions }, page) => subscriptions.parked("all", page),
  "contacts in a transaction": (tracker, page) => tracker.transaction((tx) => tx.contacts.list(page)),
  "events in a transaction": (tracker, page) => tracker.transaction((tx) => tx.events.list("c0@example.com", page)),
};

const loops: Record<string, (tracker: Tracker, scope: Scope) => Promise<unknown[]>> = {
  contacts: ({ contacts }) => allOf(contacts.each()),
  events: ({ events }) => allOf(events.each("c0@example.com")),
  "all events": ({ events }) => allOf(events.each({})),
  members: ({ audiences }) => allOf(audiences.each("did")),
  "the export of a contact": async ({ contacts }) => (await contacts.export("c0@example.com")).events,
  "the export of contacts": async (_, scope) =>
    (await allOf(exportContacts(scope, { since: null, audience: null }))).flat(),
  "the export of members": async (_, scope) =>
    (await allOf(exportContacts(scope, { since: null, audience: "did" }))).flat(),
  "the export of events": async (_, scope) =>
    (await allOf(exportEvents(scope, { since: null, audience: "did" }))).flat(),
};

/** `open` opens a storage for a test, and closes it afterwards. */
export function smallPages(test: Test, open: (run: (storage: Storage) => Promise<void>) => Promise<void>): void {
  const at = new Date("2026-01-31T09:00:00.000Z");

  test("lists, loops and exports give every row once", () =>
    open(async (storage) => {
      const whole = await populate(storage, () => at);
      const tracker = createTracker({ storage: withSmallPages(storage), now: () => at });
      const fail = (): never => {
        throw new Error("no");
      };
      await whole.subscriptions.consume("all", { until: "caught-up", tries: 1 }, fail).catch(() => {});
      for (const [name, list] of Object.entries(lists)) {
        const [all = [], ...others] = await pagesOf((page) => list(whole, page));
        assert.deepEqual([others, all.length > 1], [[], true], name);
        const pages = await pagesOf((page) => list(tracker, page));
        assert.deepEqual(pages.flat(), all, name);
        // A usage page can also have a key that was defined and never recorded.
        assert.ok(pages.length >= all.length - 1, `${name}: ${pages.length}`);
      }
      const scope = { storage, workspace: "default", now: () => at.getTime() };
      for (const [name, loop] of Object.entries(loops)) {
        const all = await loop(whole, scope);
        assert.ok(all.length > 1, name);
        assert.deepEqual(await loop(tracker, { ...scope, storage: withSmallPages(storage) }), all, name);
      }
    }));

  test("changes are read once, without waiting and with it, and a full page does not wait", () =>
    open(async (storage) => {
      await populate(storage, () => at);
      const { rows } = accepted(await storage.listChanges("default", "all", null, { limit: 100, maxBytes: Infinity }));
      const ids = rows.map(({ id }) => id);
      const calls = { listChanges: 0 };
      const tracker = createTracker({ storage: withSmallPages(storage, calls), now: () => at, rateLimit: false });
      const { key } = await tracker.apiKeys.create({ name: "reader", access: "read" });
      for (const wait of ["0", "25"]) {
        const read: string[] = [];
        calls.listChanges = 0;
        for (let query = `wait=${wait}`, left = ids.length - 1; left > 0; left--) {
          const url = `http://localhost/api/v1/subscriptions/all/changes?${query}`;
          const answer = await tracker.handle(new Request(url, { headers: { Authorization: `Bearer ${key}` } }));
          const page = (await answer.json()) as { items: Change[]; cursor: string; more: boolean };
          assert.deepEqual([page.items.length, page.more], [1, true]);
          read.push(page.items[0]!.id);
          query = `wait=${wait}&after=${page.cursor}`;
        }
        assert.deepEqual([read, calls.listChanges], [ids.slice(0, -1), ids.length - 1]);
      }
      const iterated: string[] = [];
      for await (const { id } of tracker.subscriptions.changes("all")) if (iterated.push(id) === ids.length) break;
      assert.deepEqual(iterated, ids);
      const [newest, ...others] = await tracker.subscriptions.recent("all", { limit: 100 });
      assert.deepEqual([newest?.id, others], [ids.at(-1), []]);
    }));

  test("a consumer handles every change once, also those of contacts that wait", () =>
    open(async (storage) => {
      await populate(storage, () => at);
      const { rows } = accepted(await storage.listChanges("default", "all", null, { limit: 100, maxBytes: Infinity }));
      const tracker = createTracker({ storage: withSmallPages(storage), now: () => at, onError: () => {} });
      const handled: string[] = [];
      const failed = new Set<string>();
      const consume = (): Promise<unknown> =>
        tracker.subscriptions.consume("all", { until: "caught-up", firstPauseSeconds: 0.001 }, ({ id, kind }) => {
          if (kind === "contact_created" && !failed.has(id)) {
            failed.add(id);
            throw new Error("no");
          }
          handled.push(id);
        });
      while (handled.length < rows.length) await consume();
      await consume();
      assert.deepEqual(handled.toSorted(), rows.map(({ id }) => id).toSorted());
      assert.equal(failed.size, externalIds.length);
    }));

  test("a sweep finds every contact that leaves", () =>
    open(async (storage) => {
      let now = at;
      await populate(storage, () => now);
      const tracker = createTracker({ storage: withSmallPages(storage), now: () => now });
      now = new Date("2026-02-28T09:00:00.000Z");
      await tracker.work({ until: "caught-up" });
      const { rows } = accepted(await storage.listChanges("default", "all", null, { limit: 100, maxBytes: Infinity }));
      const left = rows.flatMap((change) => (change.kind === "audience_left" ? change.contact.email : []));
      assert.deepEqual(left.toSorted(), externalIds);
    }));
}
