/** What `definitions` lists is held by the compiler: each `@ts-expect-error` fails the build when its line compiles. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage, type MemoryTransaction } from "../../../adapters/memory/index.ts";
import {
  createTracker,
  type Contact,
  type Definitions,
  type InTransaction,
  type RuleAbout,
  type Tracker,
  type Workspace,
} from "../../../lib/index.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const storage = memoryStorage();
const externalId = "ada@example.com";
const signedUp = { kind: "has_done", eventKey: "signup_completed" } as const;

const definitions = {
  attributes: [
    { key: "seats", type: "number" },
    { key: "beta", type: "boolean" },
    { key: "trialEnds", type: "date" },
  ],
  audiences: [{ key: "newcomers", name: "Newcomers", rule: { all: [signedUp] } }],
  checklists: [
    {
      key: "onboarding",
      name: "Onboarding",
      items: [
        { key: "sign_up", name: "Sign up", when: signedUp },
        { key: "call", name: "Talk to us" },
      ],
    },
    { key: "billing", name: "Billing", items: [{ key: "card", name: "Enter a card" }] },
  ],
} as const satisfies Definitions;

function createTyped() {
  return createTracker({
    storage: memoryStorage(),
    definitions: {
      ...definitions,
      events: [
        { key: "order_completed", properties: { total: "number", coupon: "text?" } },
        { key: "report_created", properties: { pages: "number?" } },
        { key: "app_opened", properties: {} },
        { key: "signup_completed" },
      ],
      subscriptions: [
        { key: "orders", on: { events: ["order_completed"] } },
        { key: "mailer", on: { contacts: true, checklists: true } },
        { key: "crm", on: { audiences: ["newcomers"] } },
      ],
    },
  });
}
type Typed = ReturnType<typeof createTyped>;

// The functions in these lists are never called: they need only compile, or not.
const order = { externalId, eventKey: "order_completed" } as const;
const ordered = { kind: "has_done", eventKey: "order_completed", period: { days: 30 } } as const;
const lately = { period: { days: 30 } } as const;
const thrice = { kind: "count_greater_than", eventKey: "order_completed", count: 2 } as const;
const trialEnds = { kind: "attribute", key: "trialEnds", operator: "within" } as const;
const total = { property: "total" } as const;
const mistakes: ((tracker: Typed) => unknown)[] = [
  // @ts-expect-error: a mistyped event key
  ({ events }) => events.track({ externalId, eventKey: "signup_complete" }),
  // @ts-expect-error: a missing property
  ({ events }) => events.track({ ...order, properties: { coupon: "SPRING" } }),
  // @ts-expect-error: a property of the wrong type
  ({ events }) => events.track({ ...order, properties: { total: "42.50" } }),
  // @ts-expect-error: an unknown attribute
  ({ contacts }) => contacts.update(externalId, { customAttributes: { seat: 12 } }),
  // @ts-expect-error: an unknown audience
  ({ audiences }) => audiences.count("newcomer"),

  // @ts-expect-error: an unknown property
  ({ events }) => events.track({ ...order, properties: { total: 42.5, cupon: "SPRING" } }),
  // @ts-expect-error: no properties where one is required
  ({ events }) => events.track(order),
  // @ts-expect-error: a property where there are none
  ({ events }) => events.track({ externalId, eventKey: "app_opened", properties: { times: 1 } }),
  // @ts-expect-error: a mistyped event key in a page
  ({ events }) => events.list(externalId, { eventKey: "signup_complete" }),
  // @ts-expect-error: a mistyped event key deep in a rule
  ({ audiences }) => audiences.members({ all: [{ not: { kind: "has_done", eventKey: "signup_complete" } }] }),
  // @ts-expect-error: a mistyped event key in a new audience
  ({ audiences }) => audiences.define({ key: "a", name: "A", rule: { kind: "has_done", eventKey: "signup_complete" } }),
  // @ts-expect-error: an unknown attribute in a rule
  ({ audiences }) => audiences.count({ kind: "attribute", key: "seat", operator: "is_set", value: true }),
  // @ts-expect-error: a value that the attribute of a rule cannot have
  ({ audiences }) => audiences.count({ kind: "attribute", key: "seats", operator: "greater_than", value: "12" }),
  // @ts-expect-error: an operator that the attribute's type lacks
  ({ audiences }) => audiences.count({ kind: "attribute", key: "beta", operator: "contains", value: "yes" }),
  // @ts-expect-error: an operator that a date lacks
  ({ audiences }) => audiences.count({ kind: "attribute", key: "trialEnds", operator: "equals", value: "2026-11-30" }),
  // @ts-expect-error: a period of a date that is none
  ({ audiences }) => audiences.count({ ...trialEnds, value: { next: { weeks: 1 } } }),
  // @ts-expect-error: events that are counted ahead
  ({ audiences }) => audiences.count({ ...ordered, period: { next: { days: 1 } } }),
  // @ts-expect-error: an unknown property in a condition
  ({ audiences }) => audiences.count({ ...ordered, where: [{ property: "totals", operator: "is_set", value: true }] }),
  // @ts-expect-error: a value that the property of a condition cannot have
  ({ audiences }) => audiences.count({ ...ordered, where: [{ ...total, operator: "greater_than", value: "100" }] }),
  // @ts-expect-error: a property of another event
  ({ audiences }) => audiences.count({ ...ordered, where: [{ property: "pages", operator: "is_set", value: true }] }),
  // @ts-expect-error: a period without a beginning
  ({ audiences }) => audiences.count({ ...ordered, period: { to: new Date() } }),
  // @ts-expect-error: an unknown checklist in a rule
  ({ audiences }) => audiences.count({ any: [{ kind: "checklist_completed", checklistKey: "onbording" }] }),
  ({ checklists }) => {
    const when = { kind: "has_done", eventKey: "signup_complete" } as const;
    // @ts-expect-error: a mistyped event key in a new checklist
    return checklists.define({ key: "c", name: "C", items: [{ key: "i", name: "I", when }] });
  },
  // @ts-expect-error: an attribute of the wrong type
  ({ contacts }) => contacts.upsert({ email: externalId, customAttributes: { seats: "12" } }),
  // @ts-expect-error: an unknown attribute in an answer
  async ({ contacts }) => (await contacts.get(externalId))?.customAttributes.seat,
  // @ts-expect-error: an unknown attribute in an export
  async ({ contacts }) => (await contacts.export(externalId)).contact.customAttributes.seat,
  // @ts-expect-error: an unknown checklist
  ({ checklists }) => checklists.complete(externalId, "onbording", "call"),
  // @ts-expect-error: an unknown checklist to count
  ({ checklists }) => checklists.counts("onbording"),
  // @ts-expect-error: an unknown checklist to dismiss
  ({ checklists }) => checklists.dismiss(externalId, "onbording"),
  // @ts-expect-error: an unknown checklist to restore
  ({ checklists }) => checklists.restore(externalId, "onbording"),
  // @ts-expect-error: an item of another checklist
  ({ checklists }) => checklists.complete(externalId, "onboarding", "card"),
  // @ts-expect-error: an item that events complete
  ({ checklists }) => checklists.complete(externalId, "onboarding", "sign_up"),
  // @ts-expect-error: a mistyped event key in a transaction
  ({ transaction }) => transaction((tx) => tx.events.track({ externalId, eventKey: "signup_complete" })),
  // @ts-expect-error: an unknown attribute in a caller's transaction
  ({ within }) => within(storage.begin()).contacts.update(externalId, { customAttributes: { seat: 12 } }),
  // @ts-expect-error: a mistyped event key in a subscription
  ({ subscriptions }) => subscriptions.define({ key: "s", on: { events: ["signup_complete"] } }),
  // @ts-expect-error: a mistyped audience in a subscription
  ({ subscriptions }) => subscriptions.define({ key: "s", on: { audiences: ["newcomer"] } }),
  // @ts-expect-error: all audiences
  ({ subscriptions }) => subscriptions.define({ key: "s", on: { audiences: true } }),
  // @ts-expect-error: a mistyped subscription
  ({ subscriptions }) => subscriptions.consume("order", () => {}),
  // @ts-expect-error: a mistyped subscription whose parked contacts are listed
  ({ subscriptions }) => subscriptions.parked("order"),
  // @ts-expect-error: a change that the subscription does not take
  ({ subscriptions }) => subscriptions.consume("mailer", ({ event }) => event),
  // @ts-expect-error: a connection without a transaction
  ({ subscriptions }) => subscriptions.consume("orders", { tries: 1 }, (_, { connection }) => connection),
  // @ts-expect-error: an unknown audience of another workspace
  (tracker) => tracker.workspace("acme").audiences.explain("newcomer", externalId),
];

const misspelt = { kind: "has_done", eventKey: "signup_complete" } as const;
const signups = [{ key: "signup_completed" }] as const;
const mistakesInTheList = [
  // @ts-expect-error: a kind that does not exist
  () => createTracker({ storage, definitions: { audience: [] } }),
  // @ts-expect-error: a type that does not exist
  () => createTracker({ storage, definitions: { events: [{ key: "a", properties: { total: "string" } }] } }),
  () => {
    const audiences = [{ key: "a", name: "A", rule: misspelt }] as const;
    // @ts-expect-error: an audience about an event that is not listed
    return createTracker({ storage, definitions: { events: signups, audiences } });
  },
  () => {
    const rule = { kind: "attribute", key: "seats", operator: "equals", value: "12" } as const;
    const audiences = [{ key: "a", name: "A", rule }] as const;
    // @ts-expect-error: an audience about an attribute of another type
    return createTracker({ storage, definitions: { attributes: definitions.attributes, audiences } });
  },
  () => {
    const checklists = [{ key: "c", name: "C", items: [{ key: "i", name: "I", when: misspelt }] }] as const;
    // @ts-expect-error: an item about an event that is not listed
    return createTracker({ storage, definitions: { events: signups, checklists } });
  },
];

const misspeltTopics = () => {
  const subscriptions = [{ key: "s", on: { events: ["signup_complete"] } }] as const;
  // @ts-expect-error: a subscription to an event that is not listed
  return createTracker({ storage, definitions: { events: signups, subscriptions } });
};
mistakesInTheList.push(misspeltTopics as never);

const correct: ((tracker: Typed) => unknown)[] = [
  ({ events }) => events.track({ ...order, properties: { total: 42.5 } }, { idempotencyKey: "order-1" }),
  ({ events }) => events.track({ ...order, properties: { total: 42.5, coupon: undefined } }),
  ({ events }) => events.track({ externalId, eventKey: "report_created" }),
  ({ events }) => events.track({ externalId, eventKey: "app_opened", createdAt: new Date() }),
  ({ events }) => events.track({ externalId, eventKey: "app_opened", properties: {} }),
  ({ events }) => events.track({ externalId, eventKey: "signup_completed", properties: { free: true } }),
  ({ events }, eventKey: "app_opened" | "report_created" = "app_opened") => events.track({ externalId, eventKey }),
  ({ contacts }) => contacts.upsert({ email: externalId, customAttributes: { seats: 12, beta: null } }),
  ({ contacts }) => contacts.putMany([{ externalId, customAttributes: { trialEnds: new Date() } }]),
  async ({ contacts }) => (await contacts.get(externalId))?.customAttributes.trialEnds satisfies string | undefined,
  ({ audiences }) => audiences.count({ ...trialEnds, value: { next: { days: 3 } } }),
  async ({ contacts }) => {
    const contact: Contact<{ seats?: number; beta?: boolean; trialEnds?: string }> | null =
      await contacts.get(externalId);
    return contacts.update(externalId, { customAttributes: contact?.customAttributes });
  },
  async ({ contacts }) => (await contacts.list()).items[0]?.customAttributes.seats satisfies number | undefined,
  async ({ audiences }) => (await audiences.members("newcomers")).items satisfies Contact[],
  ({ audiences }, about: RuleAbout<"app_opened"> = { any: [] }) => audiences.count(about),
  ({ audiences }) => audiences.count({ kind: "attribute", key: "seats", operator: "between", value: [2, 12] }),
  ({ audiences }) => audiences.count({ kind: "attribute", key: "seats", operator: "one_of", value: [2, 12] }),
  ({ audiences }) => audiences.count({ kind: "attribute", key: "beta", operator: "equals", value: true }),
  ({ audiences }) => audiences.count({ not: { kind: "checklist_completed", checklistKey: "billing" } }),
  ({ audiences }) => audiences.count({ kind: "field", field: "plan", operator: "one_of", value: ["pro", "team"] }),
  ({ audiences }) => audiences.count({ ...ordered, where: [{ ...total, operator: "greater_than", value: 100 }] }),
  ({ audiences }) =>
    audiences.count({
      ...ordered,
      kind: "count_greater_than",
      count: 2,
      where: [{ ...total, operator: "is_set", value: false }],
    }),
  ({ audiences }) =>
    audiences.count({ ...signedUp, ...lately, where: [{ property: "any", operator: "equals", value: 1 }] }),
  ({ checklists }) =>
    checklists.define({ key: "c", name: "C", items: [{ key: "i", name: "I", when: { any: [signedUp, thrice] } }] }),
  ({ audiences }) => audiences.define({ key: "others", name: "Others", rule: { not: signedUp } }),
  ({ checklists }) => checklists.complete(externalId, "billing", "card"),
  ({ checklists }) => checklists.counts("billing"),
  ({ checklists }) => checklists.dismiss(externalId, "billing"),
  ({ checklists }) => checklists.restore(externalId, "billing"),
  ({ subscriptions }) => subscriptions.define({ key: "s", on: { events: ["signup_completed"], contacts: true } }),
  ({ subscriptions }) => subscriptions.consume("mailer", (change) => change.contact.id).stop(),
  ({ subscriptions }) => subscriptions.consume("crm", ({ audienceKey, contact: { email } }) => [audienceKey, email]),
  async ({ subscriptions }) =>
    (await subscriptions.list()).map(({ readyAt }) => readyAt satisfies string | null | undefined),
  ({ work }) => work({ sweepSeconds: 60 }).stop(),
  ({ subscriptions }) =>
    subscriptions.consume("orders", { transaction: true }, async ({ event }, { tx, connection, signal }) => {
      signal.throwIfAborted();
      await tx.events.track({ externalId, eventKey: "report_created" });
      return [event.id, connection satisfies MemoryTransaction];
    }).ended,
  async ({ subscriptions }) =>
    (await subscriptions.consume("orders", { until: "caught-up" }, ({ event }) => event.id)).handled satisfies number,
  ({ transaction }) => transaction(async (_, connection) => (connection satisfies MemoryTransaction).commit()),
  // What is in the storage may be deleted also after it was taken off the list.
  ({ audiences, attributes }) => [audiences.delete("former"), attributes.delete("former")],
];

suite("typed", (test) => {
  test("what the definitions do not list does not compile", () => {
    assert.equal(mistakes.length + mistakesInTheList.length, 48);
  });

  test("what they list does", () => {
    assert.equal(correct.length, 38);
  });

  test("a kind that they do not list is open, and so is all where they are only known at run time", () => {
    const listed: Definitions = { events: [{ key: "signup_completed" }] };
    const lengthened = { events: [...Array(2).keys()].map((n) => ({ key: `step_${n}` })) };
    const open = (tracker: Tracker): unknown[] => [
      () => tracker.events.track({ externalId, eventKey: "anything", properties: { any: true } }),
      () => tracker.audiences.count("anyone"),
      () => tracker.contacts.update(externalId, { customAttributes: { any: 1 } }),
      () => tracker.checklists.complete(externalId, "any", "any"),
    ];
    const ofAttributes = createTracker({ storage, definitions: { attributes: definitions.attributes } });
    const calls = [
      () => ofAttributes.events.track({ externalId, eventKey: "anything", properties: { any: true } }),
      () => ofAttributes.audiences.count(misspelt),
      () => ofAttributes.audiences.count({ kind: "checklist_completed", checklistKey: "any" }),
      () => ofAttributes.checklists.complete(externalId, "any", "any"),
      () => createTracker({ storage, definitions: lengthened }).events.track({ externalId, eventKey: "anything" }),
      ...open(createTracker({ storage, definitions: listed })),
      ...open(createTracker({ storage, definitions: undefined })),
    ];
    assert.equal(calls.length, 13);
  });

  test("a typed tracker goes where a tracker is asked for, and its transaction where one is", async () => {
    const upsert = ({ contacts }: Tracker | Workspace | InTransaction) => contacts.upsert({ email: externalId });
    const typed = createTyped();
    assert.equal((await upsert(typed)).created, true);
    assert.equal((await upsert(typed.workspace("acme"))).created, true);
    assert.equal((await typed.transaction(upsert)).created, false);
    assert.equal((await upsert({ ...typed })).created, false);
  });

  // In a program of its own, because what the compiler has compared before decides how it compares the next.
  for (const [asked, given] of [
    ["Tracker", "tracker"],
    ["Workspace", 'tracker.workspace("acme")'],
    ["InTransaction", "tracker.within({})"],
  ]) {
    test(`a program compiles that first passes a typed one as ${asked}`, () => {
      const folder = mkdtempSync(join(tmpdir(), "whodid-test-"));
      try {
        const dist = join(import.meta.dirname, "../../..");
        const file = join(folder, "program.mts");
        const lines = [
          `import { createTracker, type ${asked} } from "${dist}/lib/index.js";`,
          `import { memoryStorage } from "${dist}/adapters/memory/index.js";`,
          `const definitions = ${JSON.stringify(definitions)} as const;`,
          "const tracker = createTracker({ storage: memoryStorage(), definitions });",
          `export const plain: ${asked} = ${given};`,
        ];
        writeFileSync(file, lines.join("\n"));
        const options =
          "--ignoreConfig --noEmit --strict --module nodenext --target es2023 --skipLibCheck --types node";
        const root = join(dist, "..");
        const types = ["--typeRoots", join(root, "node_modules/@types")];
        execFileSync(join(root, "node_modules/.bin/tsc"), [...options.split(" "), ...types, file], {
          encoding: "utf8",
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  test("a function may ask for the definitions, whatever the storage", async () => {
    const seatsOf = async (tracker: Tracker<unknown, typeof definitions>): Promise<number | undefined> =>
      (await tracker.contacts.get(externalId))?.customAttributes.seats;
    const tracker = createTracker({ storage: memoryStorage(), definitions });
    await tracker.provision();
    await tracker.contacts.upsert({ email: externalId, customAttributes: { seats: 12 } });
    assert.equal(await seatsOf(tracker), 12);
  });

  test("provision makes the tracker's definitions, in every workspace, unless it is given others", async () => {
    const tracker = createTracker({ storage: memoryStorage(), definitions });
    const acme = tracker.workspace("acme");
    await tracker.provision({ audiences: [{ key: "others", name: "Others", rule: signedUp }] });
    await acme.provision();
    assert.deepEqual((await tracker.audiences.list()).map(keyOf), ["others"]);
    assert.deepEqual((await acme.audiences.list()).map(keyOf), ["newcomers"]);
    assert.deepEqual((await acme.attributes.list()).map(keyOf), ["seats", "beta", "trialEnds"]);
    assert.deepEqual((await acme.checklists.list()).map(keyOf), ["onboarding", "billing"]);
  });

  test("provision without definitions is refused with a TypeError", async () => {
    await assert.rejects(createTracker({ storage }).provision(), {
      name: "TypeError",
      message: "give definitions, to the method or to createTracker",
    });
  });

  test("definitions are not looked at before they are made", async () => {
    const attributes = [{ key: "9", type: "number" }] as const;
    const tracker = createTracker({ storage: memoryStorage(), definitions: { attributes } });
    assert.equal((await refusalOf(tracker.provision())).code, "invalid_input");
  });
});

function keyOf({ key }: { key: string }): string {
  return key;
}
