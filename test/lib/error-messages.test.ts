import assert from "node:assert/strict";
import { refusalOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { interfaceSuite } from "../support/through-client.ts";

interfaceSuite("error messages", (test) => {
  test("the message names the first three problems, and how many more there are of a hundred", async () => {
    const { tracker } = stoppedTracker();
    const messageOf = async (input: object): Promise<string> =>
      (await refusalOf(tracker.contacts.upsert(untyped(input)))).message;
    assert.equal(
      await messageOf({ name: 1, signedUpAt: "2026-01-31" }),
      "email: required. name: must be text. " +
        "signedUpAt: must be a date-time with a zone, such as 2026-01-31T09:00:00Z.",
    );
    assert.equal(
      await messageOf(Object.fromEntries(Array.from({ length: 98 }, (_, n) => [`x${n}`, 1]))),
      "email: required. x0: there is no such field. x1: there is no such field. … and 96 more.",
    );
    const many = await refusalOf(
      tracker.contacts.upsert(untyped(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x${n}`, 1])))),
    );
    assert.match(many.message, / … and at least 97 more\.$/);
    assert.equal(many.issues.length, 100);
    assert.equal((await refusalOf(tracker.contacts.upsert(untyped("ada")))).message, "the input: must be an object.");
  });

  test("an attribute's issue says which type the attribute is defined with", async () => {
    const { tracker } = stoppedTracker();
    for (const type of ["text", "number", "boolean"] as const) await tracker.attributes.define({ key: type, type });
    const customAttributes = { text: 1, number: true, boolean: "yes" };
    const { issues } = await refusalOf(tracker.contacts.upsert({ email: "ada@example.com", customAttributes }));
    assert.deepEqual(
      issues.map(({ path, message }) => `${path} ${message}`),
      [
        "customAttributes.text Must be text, as the attribute is defined.",
        "customAttributes.number Must be a number, as the attribute is defined.",
        "customAttributes.boolean Must be a boolean, as the attribute is defined.",
      ],
    );
  });

  test("a name that would garble a terminal is escaped in the message, and a long one cut", async () => {
    const { tracker } = stoppedTracker();
    const messageOf = async (name: string): Promise<string> =>
      (await refusalOf(tracker.contacts.upsert(untyped({ email: "ada@example.com", [name]: 1 })))).message;
    const told = ": there is no such field.";
    assert.equal(await messageOf("a\n\u001b[31m\u0000\u007f"), `a\\u{a}\\u{1b}[31m\\u{0}\\u{7f}${told}`);
    assert.equal(await messageOf("\u202e\u2028\u2029\ufeff"), `\\u{202e}\\u{2028}\\u{2029}\\u{feff}${told}`);
    assert.equal(await messageOf("\ud800"), `\\u{d800}${told}`);
    assert.equal(await messageOf("größe 👍"), `größe 👍${told}`);
    assert.equal(await messageOf("x".repeat(120)), `${"x".repeat(120)}${told}`);
    assert.equal(await messageOf("x".repeat(60_000)), `${"x".repeat(120)}…${told}`);
    const cut = `${"x".repeat(119)}👍`;
    assert.equal(await messageOf(cut), `${"x".repeat(119)}\\u{d83d}…${told}`);
  });

  test("contact_not_found names the field and what to do", async () => {
    const { tracker } = stoppedTracker();
    const { contacts, events, checklists, audiences } = tracker;
    const remedy = "Create the contact first.";
    const own = "One with an externalId of its own is not found by its email.";
    for (const call of [
      () => contacts.update("u_1", {}),
      () => events.track({ externalId: "u_1", eventKey: "step" }),
      () => events.list("u_1"),
      () => checklists.progress("u_1"),
      () => audiences.explain({ kind: "has_done", eventKey: "step" }, "u_1"),
    ]) {
      const { code, message } = await refusalOf(call());
      assert.equal(`${code} ${message}`, `contact_not_found No contact has this externalId. ${remedy} ${own}`);
    }
    const { code, message } = await refusalOf(contacts.delete("u_1"));
    assert.equal(`${code} ${message}`, "contact_not_found No contact has this identifier as its externalId or email.");
  });

  test("the message names an unknown definition, or one of another type, by its key", async () => {
    const { tracker } = stoppedTracker();
    await tracker.contacts.upsert({ email: "ada@example.com" });
    await tracker.attributes.define({ key: "seats", type: "number" });
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "one", name: "One" }] });
    const complete = (checklist: string, item: string) =>
      tracker.checklists.complete("ada@example.com", checklist, item);
    const otherwise = { key: "seats", type: "text" } as const;
    for (const [call, told] of [
      [() => tracker.attributes.delete("seatz"), 'definition_not_found There is no attribute "seatz".'],
      [() => tracker.eventTypes.delete("Step"), 'definition_not_found There is no event type "Step".'],
      [() => tracker.audiences.delete("gone"), 'definition_not_found There is no audience "gone".'],
      [() => tracker.audiences.count("gone"), 'definition_not_found There is no audience "gone".'],
      [() => complete("stop", "one"), 'definition_not_found There is no checklist "stop".'],
      [() => complete("start", "two"), 'definition_not_found The checklist "start" has no item "two".'],
      [
        () => tracker.attributes.define(otherwise),
        'attribute_conflict The attribute "seats" is defined with the type number.',
      ],
      [
        () => tracker.provision({ attributes: [otherwise] }),
        'attribute_conflict The attribute "seats" is defined with the type number.',
      ],
    ] as const) {
      const { code, message } = await refusalOf(call());
      assert.equal(`${code} ${message}`, told);
    }
  });
});
