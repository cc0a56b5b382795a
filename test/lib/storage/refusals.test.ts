import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, TrackerError } from "../../../lib/index.ts";
import { accepted } from "../../../lib/storage/refusals.ts";
import type { Refusal } from "../../../lib/storage/rows.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

function thrownFor(refused: Refusal): unknown {
  try {
    return accepted({ refused });
  } catch (error) {
    return error;
  }
}

suite("refusals", (test) => {
  test("an answer without a refusal is handed on as it is", () => {
    const answer = { contactId: "1", events: 2 };
    assert.equal(accepted(answer), answer);
  });

  test("a refusal is thrown as an error with its code, issues, conflict and message", () => {
    const issues = [{ path: "name", code: "too_long" as const, message: "Too long." }];
    const conflict = { field: "email" as const, contacts: [{ id: "1", email: "a@b", externalId: "a@b" }] };
    const error = thrownFor({ code: "email_taken", issues, conflict, message: "Taken." });
    assert.ok(error instanceof TrackerError && error.code === "email_taken");
    assert.deepEqual([error.issues, error.conflict, error.message], [issues, conflict, "Taken."]);
  });

  test("a refusal of a code alone has the code's message, no issues and no conflict", () => {
    const error = thrownFor({ code: "contact_not_found" });
    assert.ok(error instanceof TrackerError);
    const { code, message, issues } = error;
    assert.deepEqual(
      [code, message, issues, "conflict" in error],
      [
        "contact_not_found",
        "No contact has this externalId. Create the contact first. One with an externalId of its own is not found by its email.",
        [],
        false,
      ],
    );
  });

  test("a method throws a storage's refusal, and HTTP answers it with a status", async () => {
    const storage = {
      ...memoryStorage(),
      deleteContact: async () => ({ refused: { code: "contact_not_found" as const } }),
    };
    const tracker = createTracker({ storage });
    assert.equal((await refusalOf(tracker.contacts.delete("nobody"))).code, "contact_not_found");
    const { key } = await tracker.apiKeys.create({ name: "backend" });
    const init = { method: "DELETE", headers: { Authorization: `Bearer ${key}` } };
    const response = await tracker.handle(new Request("http://localhost/api/v1/contacts/nobody", init));
    assert.equal(response.status, 404);
  });
});
