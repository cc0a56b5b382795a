import assert from "node:assert/strict";
import { contactDraft, contactUpdate, eventDraft, keyed, sha256 } from "../../../adapters/storage-contract/drafts.ts";
import { createLine, namesOfContact, namesOfEvent, namesOfUpdate } from "../../../lib/decisions/order.ts";
import { suite } from "../../support/suite.ts";

suite("the order of items", (test) => {
  test("events of one contact wait for each other, and events with one idempotency key", () => {
    assert.deepEqual(namesOfEvent(eventDraft({ contact: { externalId: "Ada@x" } })), ["acme ada@x"]);
    assert.deepEqual(namesOfEvent(eventDraft({ contact: { email: "ada@x" }, ...keyed("k") })), [
      "acme ada@x",
      `acme ${sha256("k")}`,
    ]);
  });

  test("contacts wait for each other that have an email or an externalId in common", () => {
    assert.deepEqual(namesOfContact(contactDraft({ email: "ada@x" })), ["acme ada@x"]);
    assert.deepEqual(namesOfContact(contactDraft({ email: "ada@x", fields: { externalId: null } })), ["acme ada@x"]);
    assert.deepEqual(namesOfContact(contactDraft({ email: "bob@x", fields: { externalId: "ada@x" } })), [
      "acme bob@x",
      "acme ada@x",
    ]);
  });

  test("updates wait for the externalId, folded too, and for the names that they give", () => {
    assert.deepEqual(namesOfUpdate(contactUpdate({ externalId: "ada@x" })), ["acme ada@x"]);
    const fields = { email: "eve@x", externalId: null };
    assert.deepEqual(namesOfUpdate(contactUpdate({ externalId: "Ada", fields })), [
      "acme ada",
      "acme Ada",
      "acme eve@x",
    ]);
  });

  test("an item is behind the items of a line that it has a name in common with", () => {
    const line = createLine((names: string[]) => names);
    assert.equal(line.isBehind(["a"]), false);
    line.join(["a", "b"]);
    assert.deepEqual([["b", "c"], ["c"], []].map(line.isBehind), [true, false, false]);
  });
});
