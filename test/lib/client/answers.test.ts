import assert from "node:assert/strict";
import { errorOf, isSuccess, read } from "../../../lib/client/answers.ts";
import type { Failure } from "../../../lib/client/retries.ts";
import { suite } from "../../support/suite.ts";

/** What is read of an answer: its status, or the code of its error. */
function readOf(status: number, body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = read(new Response(null, { status }), text);
  return "error" in answer ? answer.error.code : `${answer.status}`;
}

const refusal = (code: unknown): object => ({ success: false, error: { code, message: "No." } });

suite("the client's answers", (test) => {
  for (const [status, body, expected] of [
    [200, { success: true }, "200"],
    [201, { success: true, event: {} }, "201"],
    [404, refusal("contact_not_found"), "contact_not_found"],
    [429, refusal("rate_limited"), "rate_limited"],
    [503, refusal("storage_unavailable"), "storage_unavailable"],
    [500, refusal("internal"), "internal"],
    [502, "<html>", "storage_unavailable"],
    [503, "", "storage_unavailable"],
    [504, "[]", "storage_unavailable"],
    [429, "<html>", "rate_limited"],
    [413, "<html>", "body_too_large"],
    [404, "null", "internal"],
    [301, "", "internal"],
    [404, { success: true }, "internal"],
    [400, refusal(7), "internal"],
    [200, '{"success":tr', "storage_unavailable"],
    [200, { ok: true }, "storage_unavailable"],
    [400, refusal("not_known_yet"), "internal"],
    [400, refusal("constructor"), "internal"],
  ] as const) {
    test(`with status ${status} and ${JSON.stringify(body)} are read as ${expected}`, () =>
      assert.equal(readOf(status, body), expected));
  }

  test("say what a base path is if the server has no such route", () => {
    const { error } = read(new Response(null, { status: 404 }), JSON.stringify(refusal("route_not_found"))) as Failure;
    assert.equal(error.code, "route_not_found");
    assert.equal(
      error.message,
      "No. The url must end with the base path of the API, which is the path before /contacts, as in https://whodid.internal/api/v1.",
    );
  });

  test("tell the error with its message, issues and conflict", () => {
    const issues = [{ path: "email", code: "required", message: "Required." }];
    const conflict = { field: "email", contacts: [] };
    const error = errorOf({ code: "email_taken", message: "Told.", issues, conflict });
    assert.ok(error?.code === "email_taken");
    assert.deepEqual([error.message, error.issues, error.conflict], ["Told.", issues, conflict]);
  });

  for (const [field, right, wrong] of [
    ["contact", {}, [undefined, null, "text", []]],
    ["items", [], [undefined, null, "text", {}]],
    ["nextCursor", null, [undefined, 1, {}]],
    ["nextCursor", "c", [undefined]],
    ["count", 0, [undefined, null, "0"]],
    ["key", "sk_x", [undefined, null, 1]],
  ] as [string, unknown, unknown[]][]) {
    test(`are no success without ${field} of its type, such as ${JSON.stringify(right)}`, () => {
      assert.equal(isSuccess({ success: true, [field]: right }, [field]), true);
      for (const value of wrong) assert.equal(isSuccess({ success: true, [field]: value }, [field]), false);
      assert.equal(isSuccess({ [field]: right }, [field]), false);
    });
  }

  test("tell an error without what has the wrong type", () => {
    const right = { path: "email", code: "required", message: "Required." };
    const error = errorOf({
      code: "external_id_taken",
      message: 1,
      issues: [null, 1, {}, { ...right, message: null }, right],
      conflict: { contacts: "text" },
    });
    assert.ok(error?.code === "external_id_taken");
    assert.deepEqual([error.message, error.issues], ["email: required.", [right]]);
    assert.deepEqual(error.conflict, { field: "externalId", contacts: [] });
    assert.deepEqual(errorOf({ code: "invalid_input", issues: "text" })!.issues, []);
  });

  test("tell no error where there is none", () => {
    for (const value of [undefined, null, 1, "code", {}, { code: 1 }]) assert.equal(errorOf(value), null);
  });
});
