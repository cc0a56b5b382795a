import assert from "node:assert/strict";
import { toObject } from "../../../lib/client/encoding.ts";
import { changesOptions, flagOf, keyToSend } from "../../../lib/client/options.ts";
import { TrackerError } from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";

function issueOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof TrackerError) return error.issues.map(({ path, code }) => `${path} ${code}`).join();
    throw error;
  }
  return "none";
}

suite("the client's options", (test) => {
  test("are plain objects, which may be left out", () => {
    assert.deepEqual(toObject(undefined), {});
    for (const options of [null, 1, [], new Map()])
      assert.equal(
        issueOf(() => toObject(options)),
        " wrong_type",
      );
  });

  test("have only known fields, of which some may be undefined", () => {
    assert.equal(flagOf({ notify: false, other: undefined }, "notify"), false);
    assert.equal(flagOf(undefined, "notify"), undefined);
    for (const read of [keyToSend, changesOptions, (options: unknown) => flagOf(options, "notify")])
      assert.equal(
        issueOf(() => read({ other: 1 })),
        "other unknown_field",
      );
  });

  for (const [read, options, issue] of [
    [(given: unknown) => flagOf(given, "notify"), { notify: "no" }, "notify wrong_type"],
    [(given: unknown) => flagOf(given, "notify"), { notify: null }, "notify not_allowed_null"],
    [keyToSend, { idempotencyKey: "" }, "idempotencyKey too_short"],
    [changesOptions, { signal: {} }, "signal wrong_type"],
    [changesOptions, { signal: null }, "signal not_allowed_null"],
  ] as const) {
    test(`are refused: ${issue}`, () =>
      assert.equal(
        issueOf(() => read(options)),
        issue,
      ));
  }

  test("make a new idempotency key unless one is given", () => {
    assert.deepEqual(keyToSend({ idempotencyKey: "k" }), { key: "k", isNew: false });
    const { key, isNew } = keyToSend({});
    assert.ok(isNew && /^[0-9a-f-]{36}$/.test(key));
  });
});
