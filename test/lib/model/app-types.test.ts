/** An application names its own types by its definitions: each `@ts-expect-error` fails the build when its line compiles. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import {
  createTracker,
  type AttributesOf,
  type AudienceChange,
  type ChangeOf,
  type ConsumerHandler,
  type ContactOf,
  type Definitions,
  type InTransaction,
  type KeyedEventOf,
  type NewContactOf,
  type NewEventOf,
  type PropertiesOf,
  type RecentEvent,
  type StoredEvent,
  type Tracker,
} from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";
import { checkTypeErrors } from "../../support/type-errors.ts";

const definitions = {
  events: [
    { key: "order_completed", properties: { total: "number", coupon: "text?" } },
    { key: "report_created", properties: { pages: "number?" } },
    { key: "app_opened", properties: {} },
    { key: "signup_completed" },
  ],
  attributes: [
    { key: "seats", type: "number" },
    { key: "beta", type: "boolean" },
  ],
  audiences: [{ key: "newcomers", name: "Newcomers", rule: { kind: "has_done", eventKey: "signup_completed" } }],
  subscriptions: [{ key: "mailer", on: { audiences: ["newcomers"] } }],
} as const satisfies Definitions;
type App = typeof definitions;

const storage = memoryStorage();
const externalId = "ada@example.com";

async function* history(): AsyncGenerator<KeyedEventOf<App>> {
  yield { externalId, eventKey: "order_completed", properties: { total: 42.5 }, idempotencyKey: "1" };
  yield { externalId, eventKey: "signup_completed", createdAt: "2023-05-01T09:00:00Z" };
}
function* recordedToday(): Generator<NewEventOf<App>> {
  yield { externalId, eventKey: "app_opened" };
  yield { externalId, eventKey: "report_created", properties: { pages: 2 } };
}
const properties: PropertiesOf<App, "order_completed"> = { total: 42.5 };
const newContact: NewContactOf<App> = { email: externalId, customAttributes: { seats: 12, beta: null } };
const seatsOf = ({ customAttributes }: ContactOf<App>): number | undefined => customAttributes.seats;
const mail: ConsumerHandler<"mailer", App> = async ({ kind, audienceKey }, { signal }) => [kind, audienceKey, signal];
const change = (taken: ChangeOf<"mailer", App>): AudienceChange => taken;
type ToTransaction = ConsumerHandler<"mailer", App, { tx: InTransaction<App> }>;
const inTransaction: ToTransaction = (taken, { tx }) =>
  tx.events.track({ externalId: change(taken).contact.externalId, eventKey: "app_opened" });
const attributes: AttributesOf<App> = { seats: 12 };
const anyProperties: PropertiesOf<App, "signup_completed"> = { free: true, source: "mail" };
// The functions in this list are never called.
const named: ((tracker: Tracker<unknown, App>) => unknown)[] = [
  ({ events }) => events.trackMany(history()),
  ({ events }) => events.trackMany(recordedToday()),
  ({ events }) => Array.from(recordedToday(), (event) => events.track(event)),
  ({ events }) => events.track({ externalId, eventKey: "order_completed", properties }),
  ({ events }) => events.track({ externalId, eventKey: "signup_completed", properties: anyProperties }),
  ({ events }, event: NewEventOf<App, "order_completed"> = { externalId, eventKey: "order_completed", properties }) =>
    events.track(event),
  ({ contacts }) => contacts.upsertMany([newContact]),
  async ({ contacts }) => seatsOf(await contacts.update(externalId, { customAttributes: attributes })),
  async ({ audiences }) => (await audiences.members("newcomers")).items.map(seatsOf),
  async ({ contacts }) => {
    for await (const contact of contacts.each({ query: "ada" })) seatsOf(contact);
  },
  async ({ events }) => {
    for await (const event of events.each(externalId, { eventKey: "app_opened" })) event satisfies StoredEvent;
    for await (const event of events.each({ eventKey: "app_opened" })) event satisfies RecentEvent;
  },
  ({ subscriptions }) => subscriptions.consume("mailer", mail),
  ({ subscriptions }) => subscriptions.consume("mailer", { transaction: true }, inTransaction),
  (_, open: ConsumerHandler<"any"> = ({ kind }) => kind) => open,
  // @ts-expect-error: an unknown subscription
  (_, unknown: ConsumerHandler<"mailr", App> = () => {}) => unknown,
  // @ts-expect-error: a handler that needs a transaction, in a consumer without one
  ({ subscriptions }) => subscriptions.consume("mailer", inTransaction),
  // @ts-expect-error: an unknown audience to loop over
  ({ audiences }) => audiences.each("newcomer"),
  // @ts-expect-error: a mistyped event key to loop over
  ({ events }) => events.each({ eventKey: "app_open" }),
  // @ts-expect-error: neither a contact nor a page
  ({ events }) => events.each(),
  // Without a list everything is open.
  (_, open: NewEventOf<Definitions> = { externalId, eventKey: "any", properties: { any: 1 } }) =>
    createTracker({ storage }).events.track(open),
  (_, open: PropertiesOf<Definitions, "any"> = { any: 1 }) => open,
  // @ts-expect-error: a missing property
  (_, missing: PropertiesOf<App, "order_completed"> = { coupon: "SPRING" }) => missing,
  // @ts-expect-error: a property of an event that has none
  (_, none: PropertiesOf<App, "app_opened"> = { times: 1 }) => none,
  // @ts-expect-error: an unknown event key
  (_, unknown: PropertiesOf<App, "order_complete"> = {}) => unknown,
  // @ts-expect-error: an unknown attribute
  (_, unknown: AttributesOf<App> = { seat: 12 }) => unknown,
  // @ts-expect-error: an attribute of the wrong type
  (_, wrong: NewContactOf<App> = { email: externalId, customAttributes: { seats: "12" } }) => wrong,
  // @ts-expect-error: a key is an option of `track`
  (_, keyed: NewEventOf<App> = { externalId, eventKey: "app_opened", idempotencyKey: "1" }) => keyed,
  // @ts-expect-error: the property of another event
  (_, mixed: KeyedEventOf<App> = { externalId, eventKey: "report_created", properties: { total: 1 } }) => mixed,
];

suite("an application's types", (test) => {
  test("have names for what the definitions list", () => {
    assert.equal(named.length, 28);
  });

  test("are those of the methods", async () => {
    const tracker = createTracker({ storage: memoryStorage(), definitions });
    await tracker.provision();
    assert.deepEqual(await tracker.contacts.upsertMany([newContact]), { ok: 1, failed: 0 });
    assert.deepEqual(await tracker.events.trackMany(history()), { ok: 2, failed: 0 });
    assert.deepEqual(await tracker.events.trackMany(recordedToday()), { ok: 2, failed: 0 });
    assert.deepEqual((await tracker.audiences.members("newcomers")).items.map(seatsOf), [12]);
  });

  test("lead to short errors about a missing property, which name the properties of its event key alone", () => {
    checkTypeErrors(join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc"));
  });
});
