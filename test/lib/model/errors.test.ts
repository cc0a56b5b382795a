import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { isTrackerError, issueMessages } from "../../../lib/model/errors.ts";
import { createTracker, TrackerError, type ErrorCode, type IssueCode } from "../../../lib/index.ts";
import { refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { interfaceSuite } from "../../support/through-client.ts";

// A released code is never edited, only followed by a new one: then this does not compile.
const everyCode: Record<ErrorCode, true> = {
  malformed_json: true,
  invalid_input: true,
  invalid_path: true,
  invalid_header: true,
  missing_api_key: true,
  invalid_api_key: true,
  forbidden: true,
  contact_not_found: true,
  route_not_found: true,
  method_not_allowed: true,
  body_too_large: true,
  unsupported_media_type: true,
  email_taken: true,
  external_id_taken: true,
  ambiguous_identifier: true,
  idempotency_key_reused: true,
  rate_limited: true,
  internal: true,
  storage_unavailable: true,
  attribute_conflict: true,
  subscription_conflict: true,
  secret_not_found: true,
  secrets_taken: true,
  definition_not_found: true,
  definition_in_use: true,
  definition_unknown: true,
  api_key_not_found: true,
  last_admin_key: true,
  changes_expired: true,
  change_not_parked: true,
  workspace_deleted: true,
  export_too_large: true,
  unauthenticated: true,
  transaction_required: true,
  transaction_lost: true,
};
const codes = Object.keys(everyCode) as ErrorCode[];

// Likewise.
const everyIssueCode: Record<IssueCode, true> = {
  required: true,
  unknown_field: true,
  wrong_type: true,
  not_allowed_null: true,
  too_short: true,
  too_long: true,
  invalid_format: true,
  out_of_range: true,
  attribute_not_defined: true,
  attribute_wrong_type: true,
  empty_list: true,
  repeated_key: true,
  audience_not_defined: true,
  checklist_not_defined: true,
  can_turn_false: true,
  automatic_item: true,
  property_not_defined: true,
  event_not_defined: true,
};

/** As another copy of the package has it, such as the one that came with a storage. */
async function otherTrackerError(): Promise<typeof TrackerError> {
  const other = (await import(
    new URL("../../../lib/model/errors.js?copy", import.meta.url).href
  )) as typeof import("../../../lib/model/errors.ts");
  return other.TrackerError;
}

interfaceSuite("errors", (test) => {
  for (const code of codes) {
    test(`${code} has a message of its own, and nothing else`, () => {
      const error = new TrackerError(code);
      assert.equal(error.code, code);
      assert.match(error.message, /^[A-Z].*\.$/);
      assert.deepEqual(error.issues, []);
      assert.equal("cause" in error, false);
    });
  }

  test("each code of an issue has a message of its own", () => {
    assert.deepEqual(Object.keys(issueMessages()), Object.keys(everyIssueCode));
    assert.equal(new Set(Object.values(issueMessages())).size, Object.keys(everyIssueCode).length);
    for (const message of Object.values(issueMessages())) assert.match(message, /^[A-Z].*[.?]$/);
  });

  test("no two codes have one message", () => {
    assert.equal(new Set(codes.map((code) => new TrackerError(code).message)).size, 35);
  });

  test("a TrackerError may be constructed with everything in it", () => {
    const cause = new Error("ECONNREFUSED");
    const issues = [{ path: "email", code: "required", message: "This is required." }] as const;
    const conflict = { field: "email" as const, contacts: [{ id: "1", email: "a@b", externalId: "a@b" }] };
    const error = new TrackerError("email_taken", { message: "Taken.", issues, conflict, cause });
    assert.ok(error instanceof Error);
    assert.equal(error.name, "TrackerError");
    assert.equal(error.message, "Taken.");
    assert.deepEqual(error.issues, issues);
    assert.deepEqual(error.conflict, conflict);
    assert.equal(error.cause, cause);
    assert.match(error.stack ?? "", /errors\.test/);
  });

  test("the JSON of an error has its message, and not its cause", () => {
    const error = new TrackerError("rate_limited", { message: "Wait.", cause: "driver", partial: true });
    assert.equal(
      JSON.stringify(error),
      '{"name":"TrackerError","code":"rate_limited","message":"Wait.","issues":[],"retryAfterSeconds":null}',
    );
  });

  test("isTrackerError knows an error of another copy of the package by its name and code, and nothing else", async () => {
    const OtherError = await otherTrackerError();
    assert.notEqual(OtherError, TrackerError);
    assert.equal((new OtherError("rate_limited") as unknown) instanceof TrackerError, false);
    for (const error of [new OtherError("rate_limited"), new TrackerError("rate_limited")]) {
      assert.equal(isTrackerError(error), true);
    }
    const namedSo = (code: unknown): Error => Object.assign(new Error("x"), { name: "TrackerError", code });
    for (const value of [
      null,
      undefined,
      "rate_limited",
      {},
      Object.create(null),
      { name: "TrackerError", code: "rate_limited" },
      new Error("rate_limited"),
      Object.assign(new Error("x"), { code: "rate_limited" }),
      namedSo(undefined),
      namedSo("toString"),
      namedSo(["rate_limited"]),
    ] as unknown[]) {
      assert.equal(isTrackerError(value), false);
    }
  });

  test("an error of a subclass is a TrackerError, and a TrackerError is not of the subclass", () => {
    class OwnError extends TrackerError<"rate_limited"> {}
    assert.ok((new OwnError("rate_limited") as unknown) instanceof TrackerError);
    assert.ok(isTrackerError(new OwnError("rate_limited")));
    assert.equal((new TrackerError("rate_limited") as unknown) instanceof OwnError, false);
  });

  test("a storage may reject with the TrackerError of another copy of the package", async () => {
    const OtherError = await otherTrackerError();
    const unavailable = async (): Promise<never> => {
      throw new OtherError("storage_unavailable");
    };
    const reported: unknown[] = [];
    const storage = { ...memoryStorage(), deleteContact: unavailable };
    const tracker = createTracker({ storage, onError: (error) => reported.push(error) });
    await assert.rejects(tracker.contacts.delete("nobody"), { name: "TrackerError", code: "storage_unavailable" });
    const { key } = await tracker.apiKeys.create({ name: "backend" });
    const init = { method: "DELETE", headers: { Authorization: `Bearer ${key}` } };
    const response = await tracker.handle(new Request("http://localhost/api/v1/contacts/nobody", init));
    assert.equal(response.status, 503);
    assert.deepEqual(reported, []);
  });

  test("an error has the fields of its code, and no others", () => {
    const conflict = { field: "email" as const, contacts: [] };
    const given = { conflict, retryAfterSeconds: 5, partial: true };
    const fields: Partial<Record<ErrorCode, object>> = {
      email_taken: { conflict },
      external_id_taken: { conflict },
      ambiguous_identifier: { conflict },
      rate_limited: { retryAfterSeconds: 5 },
      storage_unavailable: { retryAfterSeconds: 5 },
      transaction_lost: { partial: true },
    };
    for (const code of codes) {
      const expected = { name: "TrackerError", code, issues: [], ...fields[code] };
      assert.deepEqual({ ...new TrackerError(code, given) }, expected);
    }
    assert.deepEqual(new TrackerError("external_id_taken").conflict, { field: "externalId", contacts: [] });
    assert.deepEqual(new TrackerError("ambiguous_identifier").conflict, { field: "identifier", contacts: [] });
    assert.equal(new TrackerError("transaction_lost").partial, false);
  });

  test("an issue has a path, a code and a message", async () => {
    const { tracker } = stoppedTracker();
    const input = { email: "ada@example.com", customAttributes: { seats: 12 } };
    const { code, message, issues } = await refusalOf(tracker.contacts.upsert(input));
    assert.equal(code, "invalid_input");
    assert.equal(message, "customAttributes.seats: not defined; did you define it in this workspace?");
    assert.deepEqual(issues, [
      {
        path: "customAttributes.seats",
        code: "attribute_not_defined",
        message: "Not defined; did you define it in this workspace?",
      },
    ]);
  });

  test("no error repeats a value that was received", async () => {
    const { tracker } = stoppedTracker();
    const secret = "s3cret";
    const inputs = [
      { email: secret, name: { secret } },
      { email: "ada@example.com", signedUpAt: secret, avatarUrl: secret, phone: [secret] },
      { email: "ada@example.com", customAttributes: { seats: secret }, nickname: secret },
      secret,
      { email: Symbol(secret) },
      { email: { toString: () => secret, toJSON: () => secret } },
    ];
    for (const input of inputs) {
      const error = await refusalOf(tracker.contacts.upsert(untyped(input)));
      assert.equal(error.code, "invalid_input");
      assert.ok(!`${JSON.stringify(error)} ${error.message} ${String(error.stack)}`.includes(secret));
      assert.equal(error.cause, undefined);
    }
  });

  test("values that cannot be printed are refused like any other", async () => {
    const { tracker } = stoppedTracker();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const email of [circular, 1n, Symbol("email"), Object.create(null) as unknown, () => {}]) {
      const { issues } = await refusalOf(tracker.contacts.upsert(untyped({ email })));
      assert.equal(issues[0]?.code, "wrong_type");
    }
  });
});
