import assert from "node:assert/strict";
import { contactFieldNames, contactFields } from "../../../lib/model/contact-fields.ts";
import type { Rule } from "../../../lib/model/rule-types.ts";
import { schemas } from "../../../lib/http/openapi/schemas.ts";
import { issuesOf, stoppedTracker } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const samples = { text: "", url: "https://example.com/ada.png", time: "2026-01-31T09:00:00.000Z" };

suite("contact fields", (test) => {
  test("each field is stored, also an empty text, cleared and described", async () => {
    const { tracker } = stoppedTracker();
    const given = Object.fromEntries(contactFieldNames.map((name) => [name, samples[contactFields[name].kind]]));
    const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", ...given });
    const none = Object.fromEntries(contactFieldNames.map((name) => [name, null]));
    const cleared = await tracker.contacts.update("ada@example.com", none);
    const described = Object.keys(schemas.Contact["properties"] as object);
    for (const name of contactFieldNames) {
      assert.equal(contact[name], given[name]);
      assert.equal(cleared[name], null);
      assert.ok(described.includes(name), name);
    }
  });

  test("a rule can be about each field that is no URL", async () => {
    const { tracker } = stoppedTracker();
    for (const name of contactFieldNames) {
      const counted = tracker.audiences.count({ kind: "field", field: name, operator: "is_set", value: true } as Rule);
      if (contactFields[name].kind === "url") assert.deepEqual(await issuesOf(counted), ["rule.field invalid_format"]);
      else assert.equal(await counted, 0);
    }
  });

  test("a field with one byte more than its limit is refused", async () => {
    const { tracker } = stoppedTracker();
    for (const name of contactFieldNames) {
      const field = contactFields[name];
      if (field.kind === "time") continue;
      const start = field.kind === "url" ? "https://example.com/" : "";
      const bytes = { text: 1_000, url: 2_048 }[field.kind];
      const longest = start + "é".repeat((bytes - start.length) / 2);
      const upsert = (text: string) => tracker.contacts.upsert({ email: "ada@example.com", [name]: text });
      await upsert(longest);
      assert.deepEqual(await issuesOf(upsert(`${longest}a`)), [`${name} too_long`]);
    }
  });
});
