/** Wrong calls do not compile: each `@ts-expect-error` fails the build when its call does. */
import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import {
  createTracker,
  TrackerError,
  type AttributeDefinition,
  type Contact,
  type ErrorCode,
  type IssueCode,
  type NewContact,
  type Storage,
  type Tracker,
  type Workspace,
} from "../../lib/index.ts";
import { refusalOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const ada = { email: "ada@example.com" };
const step = { externalId: "ada@example.com", eventKey: "step" };
const plan = { kind: "field", field: "plan" } as const;
const seats = { kind: "attribute", key: "seats" } as const;

/** Never called: they need only not compile. What the library says of each at run time is tested in `test/lib/input`. */
const mistakes: ((tracker: Tracker) => unknown)[] = [
  // @ts-expect-error: no email
  ({ contacts }) => contacts.upsert({ name: "Ada" }),
  // @ts-expect-error: an undefined email
  ({ contacts }) => contacts.upsert({ email: undefined }),
  // @ts-expect-error: null
  ({ contacts }) => contacts.upsert({ email: null }),
  // @ts-expect-error: nothing
  ({ contacts }) => contacts.upsert(),
  // @ts-expect-error: nickname
  ({ contacts }) => contacts.upsert({ ...ada, nickname: "Ada" }),
  // @ts-expect-error: what the library makes
  ({ contacts }) => contacts.upsert({ ...ada, id: "1" }),
  // @ts-expect-error: a number for a text
  ({ contacts }) => contacts.upsert({ ...ada, name: 5 }),
  // @ts-expect-error: a number for a time
  ({ contacts }) => contacts.upsert({ ...ada, signedUpAt: 0 }),
  // @ts-expect-error: null attributes
  ({ contacts }) => contacts.upsert({ ...ada, customAttributes: null }),
  // @ts-expect-error: a nested attribute
  ({ contacts }) => contacts.upsert({ ...ada, customAttributes: { a: {} } }),
  // @ts-expect-error: no eventKey
  ({ events }) => events.track({ externalId: "u_1" }),
  // @ts-expect-error: the older shape is for HTTP alone
  ({ events }) => events.track({ ...step, email: "a@b" }),
  // @ts-expect-error: a nested property
  ({ events }) => events.track({ ...step, properties: { a: [] } }),
  // @ts-expect-error: a property cannot be null
  ({ events }) => events.track({ ...step, properties: { a: null } }),
  // @ts-expect-error: the option is spelled otherwise
  ({ events }) => events.track(step, { idempotencykey: "k" }),
  // @ts-expect-error: a text for a number
  ({ contacts }) => contacts.list({ limit: "10" }),
  // @ts-expect-error: contacts have no eventKey
  ({ contacts }) => contacts.list({ eventKey: "step" }),
  // @ts-expect-error: null is no cursor
  ({ contacts }) => contacts.list({ cursor: null }),
  // @ts-expect-error: the type is called text
  ({ attributes }) => attributes.define({ key: "a", type: "string" }),
  // @ts-expect-error: no name
  ({ apiKeys }) => apiKeys.create({}),
  // @ts-expect-error: unknown entry
  ({ provision }) => provision({ attribute: [] }),
  // @ts-expect-error: a text is not within a period
  ({ audiences }) => audiences.count({ ...plan, operator: "within", value: { days: 1 } }),
  // @ts-expect-error: a list for a text
  ({ audiences }) => audiences.count({ ...plan, operator: "equals", value: ["pro"] }),
  // @ts-expect-error: no such field
  ({ audiences }) => audiences.count({ ...plan, field: "seats", operator: "equals", value: "1" }),
  // @ts-expect-error: three numbers
  ({ audiences }) => audiences.count({ ...seats, operator: "between", value: [1, 2, 3] }),
  // @ts-expect-error: a text is not greater
  ({ audiences }) => audiences.count({ ...seats, operator: "greater_than", value: "1" }),
  ({ checklists }) => {
    const items = [{ key: "a", name: "A", when: { kind: "checklist_completed", checklistKey: "b" } as const }];
    // @ts-expect-error: it can turn false again
    return checklists.define({ key: "a", name: "A", items });
  },
  // @ts-expect-error: a transaction has no transactions, and no API keys
  ({ within }) => within(memoryStorage().begin()).apiKeys,
  // @ts-expect-error: a workspace has no close
  ({ workspace }) => workspace("acme").close(),
  // @ts-expect-error: a contact may be null
  async ({ contacts }) => (await contacts.get("u_1")).email,
  // @ts-expect-error: no storage
  () => createTracker({}),
  // @ts-expect-error: unknown option
  () => createTracker({ storage: memoryStorage(), prefix: "/" }),
  // @ts-expect-error: a clock gives a Date
  () => createTracker({ storage: memoryStorage(), now: () => Date.now() }),
  // @ts-expect-error: `true` is no limit
  () => createTracker({ storage: memoryStorage(), rateLimit: true }),
  // @ts-expect-error: a limit has two parts
  () => createTracker({ storage: memoryStorage(), rateLimit: { requests: 5 } }),
];

suite("types", (test) => {
  test("wrong calls do not compile", () => assert.equal(mistakes.length, 35));

  test("the codes of errors and issues are known, and each can be told apart", () => {
    const statusOf = (code: ErrorCode): string => {
      switch (code) {
        case "invalid_input":
          return "mend it";
        // @ts-expect-error: no such code
        case "invalid":
          return "unknown";
        default:
          return "give up";
      }
    };
    // @ts-expect-error: no such code
    const error = new TrackerError("no_such_code");
    // @ts-expect-error: no such code
    const code: IssueCode = "no_such_code";
    assert.equal(statusOf("invalid_input"), "mend it");
    assert.equal(error.code, code);
  });

  test("an error's code narrows in a switch", async () => {
    const { tracker } = stoppedTracker();
    const adviceOn = (error: TrackerError): string => {
      switch (error.code) {
        case "contact_not_found":
        case "external_id_taken": {
          // @ts-expect-error: it is one of these two
          const other: "email_taken" = error.code;
          return other satisfies string;
        }
        default: {
          // @ts-expect-error: it is neither of these two
          const handled: "contact_not_found" = error.code;
          return `not ${handled satisfies string}`;
        }
      }
    };
    assert.equal(adviceOn(await refusalOf(tracker.contacts.update("u_1", {}))), "contact_not_found");
    assert.equal(adviceOn(await refusalOf(tracker.apiKeys.revoke("x"))), "not api_key_not_found");
  });

  test("answers have types of their own, not those of inputs", async () => {
    const { tracker } = stoppedTracker();
    const { contact }: { contact: Contact } = await tracker.contacts.upsert(ada);
    // @ts-expect-error: times are answered as texts
    const signedUpAt: Date | null = contact.signedUpAt;
    // @ts-expect-error: an error's issues are for reading
    const write = (error: TrackerError) => error.issues.push();
    assert.equal(signedUpAt, null);
    assert.equal(typeof write, "function");
  });

  test("inputs may be typed beforehand, and read-only", async () => {
    const { tracker } = stoppedTracker();
    const contact: Readonly<NewContact> = { ...ada, signedUpAt: new Date(0), customAttributes: { seats: undefined } };
    const definition: Readonly<AttributeDefinition> = { key: "seats", type: "number", name: null };
    await tracker.attributes.define(definition);
    assert.equal((await tracker.contacts.upsert(contact)).created, true);
  });

  test("a tracker is a workspace, and a memory storage a storage", () => {
    const storage: Storage = memoryStorage();
    const workspace: Workspace = createTracker({ storage });
    assert.equal(typeof workspace.contacts.upsert, "function");
  });
});
