import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  at,
  audienceDraft,
  checklistDraft,
  contactDraft,
  contactUpdate,
  eventDraft,
  subscriptionDraft,
  workspace,
} from "../../../../adapters/storage-contract/drafts.ts";
import { createTracker } from "../../../../lib/index.ts";
import { newId } from "../../../../lib/model/ids.ts";
import type { Storage } from "../../../../lib/storage/port.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { testsOn } from "../../../support/suite.ts";

const server = await database();

/** Returns the names of the statements that the call sends, in their order. */
async function allStatementsOf({ url }: OpenedMysql, call: () => Promise<unknown>): Promise<string[]> {
  const schema = new URL(url).pathname.slice(1);
  const names: string[] = [];
  const look = (message: unknown): void => {
    const { query, database: used } = message as { query: string; database: string };
    const [, name] = /whodid:(\w+)/.exec(query) ?? [];
    if (used === schema && name) names.push(name);
  };
  subscribe("tracing:mysql2:execute:start", look);
  await call();
  unsubscribe("tracing:mysql2:execute:start", look);
  return names;
}

/**
 * Leaves out what depends on caches and connections. A list of definitions, the marks beside it and the watches after it are read
 * if they are not in the cache, which a slow machine forgets meanwhile. A deletion reads the end of the log until a subscription
 * was defined, maybe on a new connection.
 */
async function statementsOf(opened: OpenedMysql, call: () => Promise<unknown>): Promise<string[]> {
  let last = "";
  return (await allStatementsOf(opened, call)).filter((name) => {
    const isCached = ["readMarks", "listWatches"].includes(name) && ["listDefinitions", "readMarks"].includes(last);
    last = name;
    return !isCached && !["listDefinitions", "findEnd", "probe"].includes(name);
  });
}

const step = { kind: "has_done", eventKey: "step" } as const;
const checklist = checklistDraft({
  items: [
    { key: "hand", name: "By hand" },
    { key: "step", name: "Step", when: step },
  ],
});
const completion = { workspace, externalId: "ada@example.com", checklistId: checklist.id, itemKey: "hand" };
const bob = { email: "bob@example.com" };

/** A write of each kind, and the statements that it sent before there were subscriptions. */
const writes: [write: (storage: Storage) => Promise<unknown>, statements: string[]][] = [
  [
    (storage) => storage.upsertContacts([contactDraft()]),
    ["findNames", "findContactsByEmail", "findContactsByExternalId", "insertContacts"],
  ],
  [
    (storage) => storage.upsertContacts([contactDraft({ at: at + 1, fields: { name: "Ada" } }), contactDraft(bob)]),
    [
      "findNames",
      "findContactsByEmail",
      "findContactsByExternalId",
      "findContactsById",
      "updateContacts",
      "insertContacts",
    ],
  ],
  [
    (storage) => storage.updateContact(contactUpdate({ at: at + 2, fields: { plan: "pro" } })),
    ["findContactsByExternalId", "updateContacts"],
  ],
  [
    (storage) => storage.recordEvents([eventDraft({ id: newId(at) })]),
    ["findContactsByEmail", "addToSummaries", "findSummariesOf", "findCountsOf", "findCompletionsOf", "insertEvents"],
  ],
  [
    (storage) => storage.recordEvents([eventDraft({ id: newId(at), eventKey: "a" }), eventDraft({ contact: bob })]),
    ["findContactsByEmail", "addToSummaries", "findSummariesOf", "findCountsOf", "findCompletionsOf", "insertEvents"],
  ],
  [
    (storage) => storage.insertCompletion({ ...completion, completedAt: at }),
    ["findContactsByExternalId", "insertCompletion", "insertUnused", "deleteUses"],
  ],
  [
    (storage) => storage.transaction((inside) => inside.recordEvents([eventDraft({ eventKey: "a" })])),
    ["findContactsByEmail", "findContactsById", "addToSummaries", "insertEvents"],
  ],
  [
    (storage) => storage.deleteContact(workspace, "ada@example.com", at),
    [
      "findContactsByExternalId",
      "findContactsByEmail",
      "listEventIds",
      "deleteEventsOf",
      "deleteSummariesOf",
      "deleteCompletionsOf",
      "deleteContact",
    ],
  ],
];

databaseSuite("the statements of a write", server, (define) => {
  const test = testsOn(define, mysqlBy(server));
  const otherWorkspace = subscriptionDraft({ workspace: "other" });
  const otherEvents = subscriptionDraft({ on: { events: ["other"] } });
  for (const [about, subscription] of [
    ["without a subscription", null],
    ["without a subscription of its workspace", otherWorkspace],
    ["that no subscription takes", otherEvents],
  ] as const) {
    test(`${about} are those of a write before there were subscriptions`, async (opened) => {
      const { storage } = opened;
      if (subscription) await storage.putDefinition(subscription);
      await storage.putDefinition(checklist);
      // A deletion may have to remove changes if a subscription was ever defined.
      const compared = subscription === null ? writes : writes.slice(0, -1);
      for (const [write, expected] of compared) {
        await fillCaches(storage);
        assert.deepEqual(await statementsOf(opened, () => write(storage)), expected);
      }
    });
  }

  test("that touch a watched audience read its contacts, and others are those of a write without subscriptions", async (opened) => {
    const { storage } = opened;
    await storage.upsertContacts([contactDraft()]);
    await storage.putDefinition(audienceDraft());
    const isPro = { kind: "field", field: "plan", operator: "equals", value: "pro" } as const;
    const rule = { all: [{ kind: "has_done", eventKey: "upgrade" } as const, isPro] };
    await storage.putDefinition(audienceDraft({ key: "pros", rule }));
    await storage.putDefinition(subscriptionDraft({ on: { audiences: ["doers", "pros"] } }));
    while (await storage.beginWatches(at));
    await fillCaches(storage);
    const record = ["addToSummaries", "insertEvents"];
    const readWatched = ["listWatches", "findSummariesOf"];
    for (const [eventKey, expected] of [
      ["other", ["findContactsByEmail", ...record]],
      // The lock of a contact also reads its own data, for a rule about the data.
      ["upgrade", ["findContactsByEmail", ...readWatched, ...record]],
      [
        "step",
        ["findContactsByEmail", ...readWatched, ...record, "findMemberships", "insertMemberships", "insertChanges"],
      ],
    ] as const) {
      const events = [eventDraft({ id: newId(at), eventKey })];
      assert.deepEqual(await statementsOf(opened, () => storage.recordEvents(events)), expected, eventKey);
    }
  });

  test("that touch a watched rule about events of a period count these, where the summaries leave it open", async (opened) => {
    const { storage } = opened;
    await storage.upsertContacts([contactDraft(), contactDraft(bob)]);
    const rule = { kind: "count_greater_than", eventKey: "a", count: 1, period: { days: 1 } } as const;
    await storage.putDefinition(audienceDraft({ rule: { any: [rule, { not: step }] } }));
    await storage.putDefinition(subscriptionDraft({ on: { audiences: ["doers"] } }));
    while (await storage.beginWatches(at));
    const countsOf = async (...drafts: Parameters<typeof eventDraft>[0][]) => {
      const sent = await statementsOf(opened, () => storage.recordEvents(drafts.map((draft) => eventDraft(draft))));
      return sent.filter((name) => name === "countOccurrences").length;
    };
    await fillCaches(storage);
    const old = at - 2 * 86_400_000;
    assert.equal(await countsOf({ eventKey: "b" }), 0);
    assert.equal(await countsOf({ eventKey: "a", createdAt: old }, { eventKey: "a", createdAt: old }), 0);
    assert.equal(await countsOf({ eventKey: "a", createdAt: at }, { eventKey: "a", contact: bob }), 0);
    assert.equal(await countsOf({ eventKey: "a" }, { eventKey: "step", contact: bob }, { eventKey: "b" }), 1);
  });

  test("inside a transaction are those of one item, whatever the number of items", async (opened) => {
    const tracker = createTracker({ storage: opened.storage });
    await tracker.attributes.define({ key: "seats", type: "number" });
    const contacts = Array.from({ length: 30 }, (_, n) => ({
      email: `c${n}@example.com`,
      ...(n % 2 === 0 && { customAttributes: { seats: n } }),
    }));
    const events = contacts.map(({ email }) => ({ externalId: email, eventKey: "a" }));
    const sent = async (length: number): Promise<string[]> =>
      statementsOf(opened, () =>
        tracker.transaction(async (tx) => {
          const some = contacts.slice(0, length);
          assert.equal((await tx.contacts.upsertMany(some)).ok, length);
          assert.equal((await tx.events.trackMany(events.slice(0, length))).ok, length);
        }),
      );
    for (const warm of [30, 1]) await sent(warm);
    assert.deepEqual(await sent(30), await sent(1));
    // A cache may be refilled meanwhile. One read for each item with attributes would be 15 more.
    const lists = (await allStatementsOf(opened, () => sent(30))).filter((name) => name === "listDefinitions");
    assert.ok(lists.length < 15, `${lists.length} reads of definitions`);
  });

  test("read the subscriptions only when those of an earlier one are old", async (opened) => {
    const { storage } = opened;
    await storage.upsertContacts([contactDraft()]);
    const sent = await allStatementsOf(opened, async () => {
      for (let n = 0; n < 30; n++) await storage.recordEvents([eventDraft()]);
    });
    const reads = sent.filter((name) => name === "readMarks");
    assert.ok(reads.length < 15, `${reads.length} reads of subscriptions`);
  });

  test("that a subscription takes are one more, whatever the number of its changes", async (opened) => {
    const { storage } = opened;
    await storage.upsertContacts([contactDraft(), contactDraft(bob)]);
    await storage.putDefinition(subscriptionDraft());
    const events = ["a", "b", "c"].map((eventKey) => eventDraft({ eventKey, contact: bob }));
    await storage.recordEvents([eventDraft()]);
    assert.deepEqual(await statementsOf(opened, () => storage.recordEvents(events)), [
      "findContactsByEmail",
      "addToSummaries",
      "insertEvents",
      "insertChanges",
    ]);
  });
});

/** Has the storage read definitions and subscriptions. */
async function fillCaches(storage: Storage): Promise<void> {
  await storage.recordEvents([eventDraft({ contact: { email: "nobody@example.com" } })]);
}
