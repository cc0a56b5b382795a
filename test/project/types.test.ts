/** Wrong calls do not compile: each `@ts-expect-error` fails the build when its call does. And when compiled away, they are refused. */
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
import { issuesOf, refusalOf, stoppedTracker } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

const ada = { email: "ada@example.com" };
const step = { externalId: "ada@example.com", eventKey: "step" };

suite("types", (test) => {
  test("an upsert needs an email", async () => {
    const { tracker } = stoppedTracker();
    // @ts-expect-error: no email
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ name: "Ada" })), ["email required"]);
    // @ts-expect-error: an undefined email
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: undefined })), ["email required"]);
    // @ts-expect-error: null
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: null })), ["email not_allowed_null"]);
    // @ts-expect-error: nothing
    assert.deepEqual(await issuesOf(tracker.contacts.upsert()), [" required"]);
  });

  test("an upsert takes no unknown field", async () => {
    const { tracker } = stoppedTracker();
    // @ts-expect-error: nickname
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, nickname: "Ada" })), ["nickname unknown_field"]);
    // @ts-expect-error: what the library makes
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, id: "1" })), ["id unknown_field"]);
  });

  test("a contact's fields have their types", async () => {
    const { tracker } = stoppedTracker();
    // @ts-expect-error: a number for a text
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, name: 5 })), ["name wrong_type"]);
    // @ts-expect-error: a number for a time
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, signedUpAt: 0 })), ["signedUpAt wrong_type"]);
    // @ts-expect-error: null attributes
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, customAttributes: null })), [
      "customAttributes not_allowed_null",
    ]);
    // @ts-expect-error: a nested attribute
    assert.deepEqual(await issuesOf(tracker.contacts.upsert({ ...ada, customAttributes: { a: {} } })), [
      "customAttributes.a wrong_type",
    ]);
  });

  test("an event needs externalId and eventKey, and flat properties", async () => {
    const { tracker } = stoppedTracker();
    // @ts-expect-error: no eventKey
    assert.deepEqual(await issuesOf(tracker.events.track({ externalId: "u_1" })), ["eventKey required"]);
    // @ts-expect-error: the older shape is for HTTP alone
    assert.deepEqual(await issuesOf(tracker.events.track({ ...step, email: "a@b" })), ["email unknown_field"]);
    // @ts-expect-error: a nested property
    assert.deepEqual(await issuesOf(tracker.events.track({ ...step, properties: { a: [] } })), [
      "properties.a wrong_type",
    ]);
    // @ts-expect-error: a property cannot be null
    assert.deepEqual(await issuesOf(tracker.events.track({ ...step, properties: { a: null } })), [
      "properties.a not_allowed_null",
    ]);
    // @ts-expect-error: the option is spelled otherwise
    assert.deepEqual(await issuesOf(tracker.events.track(step, { idempotencykey: "k" })), [
      "idempotencykey unknown_field",
    ]);
  });

  test("pages, definitions and keys have their types", async () => {
    const { tracker } = stoppedTracker();
    // @ts-expect-error: a text for a number
    assert.deepEqual(await issuesOf(tracker.contacts.list({ limit: "10" })), ["limit wrong_type"]);
    // @ts-expect-error: contacts have no eventKey
    assert.deepEqual(await issuesOf(tracker.contacts.list({ eventKey: "step" })), ["eventKey unknown_field"]);
    // @ts-expect-error: null is no cursor
    assert.deepEqual(await issuesOf(tracker.contacts.list({ cursor: null })), ["cursor not_allowed_null"]);
    // @ts-expect-error: the type is called text
    assert.deepEqual(await issuesOf(tracker.attributes.define({ key: "a", type: "string" })), ["type invalid_format"]);
    // @ts-expect-error: no name
    assert.deepEqual(await issuesOf(tracker.apiKeys.create({})), ["name required"]);
    // @ts-expect-error: unknown entry
    assert.deepEqual(await issuesOf(tracker.provision({ attribute: [] })), ["attribute unknown_field"]);
  });

  test("a rule about the contact has the operators and values of its type", async () => {
    const { tracker } = stoppedTracker();
    const { audiences } = tracker;
    const plan = { kind: "field", field: "plan" } as const;
    const seats = { kind: "attribute", key: "seats" } as const;
    await tracker.attributes.define({ key: "seats", type: "number" });
    // @ts-expect-error: a text is not within a period
    assert.deepEqual(await issuesOf(audiences.count({ ...plan, operator: "within", value: { days: 1 } })), [
      "rule.operator invalid_format",
    ]);
    // @ts-expect-error: a list for a text
    assert.deepEqual(await issuesOf(audiences.count({ ...plan, operator: "equals", value: ["pro"] })), [
      "rule.value wrong_type",
    ]);
    // @ts-expect-error: no such field
    assert.deepEqual(await issuesOf(audiences.count({ ...plan, field: "seats", operator: "equals", value: "1" })), [
      "rule.field invalid_format",
    ]);
    // @ts-expect-error: three numbers
    assert.deepEqual(await issuesOf(audiences.count({ ...seats, operator: "between", value: [1, 2, 3] })), [
      "rule.value too_long",
    ]);
    // @ts-expect-error: a text is not greater
    assert.deepEqual(await issuesOf(audiences.count({ ...seats, operator: "greater_than", value: "1" })), [
      "rule.value wrong_type",
    ]);
    const items = [{ key: "a", name: "A", when: { kind: "checklist_completed", checklistKey: "b" } as const }];
    // @ts-expect-error: it can turn false again
    assert.deepEqual(await issuesOf(tracker.checklists.define({ key: "a", name: "A", items })), [
      "items.0.when.kind can_turn_false",
    ]);
  });

  test("a tracker needs a storage, and its options have their types", () => {
    // Never called: without a storage there is nothing to see at run time.
    const wrong = [
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
      // @ts-expect-error: a transaction has no transactions, and no API keys
      (tracker: Tracker) => tracker.within(memoryStorage().begin()).apiKeys,
      // @ts-expect-error: a workspace has no close
      (tracker: Tracker) => tracker.workspace("acme").close(),
      // @ts-expect-error: a contact may be null
      async (tracker: Tracker) => (await tracker.contacts.get("u_1")).email,
    ];
    assert.equal(wrong.length, 8);
  });

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
