import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** What is stored is what was sent; what could only be stored changed is refused. */
export function valueCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const surrogate of ["\\ud800", "\\udfff", "x\\udc00\\ud800"]) {
    test(`a text with lone surrogates such as ${surrogate} is refused everywhere`, async ({ send, tracker }) => {
      await tracker.attributes.define({ key: "note", type: "text" });
      const post = (path: string, body: string) => send({ method: "POST", path: `/api/v1${path}`, body });
      for (const field of ["externalId", "name", "phone", "role", "plan"]) {
        const answer = await post("/contacts", `{"email":"ada@example.com","${field}":"${surrogate}"}`);
        assertInvalid(answer, [`${field}: invalid_format`]);
      }
      assertInvalid(await post("/contacts", `{"email":"ada${surrogate}@example.com"}`), ["email: invalid_format"]);
      const note = `{"email":"ada@example.com","customAttributes":{"note":"${surrogate}"}}`;
      assertInvalid(await post("/contacts", note), ["customAttributes.note: invalid_format"]);
      const key = JSON.parse(`"${surrogate}"`) as string;
      const named = `{"externalId":"u_1","eventKey":"${surrogate}","properties":{"${surrogate}":1,"p":"${surrogate}"}}`;
      assertInvalid(await post("/events", named), [
        "eventKey: invalid_format",
        `properties.${key}: invalid_format`,
        "properties.p: invalid_format",
      ]);
    });
  }

  test("an escaped pair of surrogates is one character and kept", async ({ send }) => {
    const body = '{"email":"ada@example.com","name":"\\ud83d\\ude00"}';
    const answer = await send({ method: "POST", path: "/api/v1/contacts", body });
    assert.equal(contactOf(answer).name, "😀");
  });

  test("texts are kept code point for code point", async ({ post, get, tracker }) => {
    await tracker.attributes.define({ key: "note", type: "text" });
    const text = " \0\t\r\n%_\\'\"`;--\u2028\u0301\u00c5A\u030a\u212b\ufeff\uffff😀 ";
    const fields = { name: text, phone: text, role: text, plan: text, customAttributes: { note: text } };
    await post("/contacts", { email: "ada@example.com", ...fields });
    const { name, phone, role, plan, customAttributes } = contactOf(await get("/contacts/ada@example.com"));
    assert.deepEqual({ name, phone, role, plan, customAttributes }, fields);
    const properties = { [text]: text };
    await post("/events", { externalId: "ada@example.com", eventKey: "x", properties });
    assert.deepEqual((await tracker.events.list("ada@example.com")).items[0]?.properties, properties);
  });

  test("inherited names are ordinary names of properties, and reach no prototype", async ({ post, send, tracker }) => {
    await post("/contacts", { email: "ada@example.com" });
    const names = [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "toJSON",
      "valueOf",
      "hasOwnProperty",
      "length",
    ];
    const properties = `{${names.map((name) => `"${name}":"odd"`).join()}}`;
    const body = `{"externalId":"ada@example.com","eventKey":"x","properties":${properties}}`;
    assert.equal((await send({ method: "POST", path: "/api/v1/events", body })).status, 201);
    const [stored] = (await tracker.events.list("ada@example.com")).items;
    assert.equal(JSON.stringify(stored?.properties), properties);
    assert.equal(Object.getPrototypeOf(stored?.properties), Object.prototype);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(Object.hasOwn(Object.prototype, "prototype"), false);
  });

  test("names that every object inherits are unknown fields like any other", async ({ send }) => {
    const inherited = '"__proto__":{"name":"x"},"constructor":1,"toString":1,"valueOf":null,"toJSON":1,"length":1';
    const body = `{"email":"ada@example.com",${inherited},"prototype":{},"hasOwnProperty":1}`;
    assertInvalid(await send({ method: "POST", path: "/api/v1/contacts", body }), [
      "__proto__: unknown_field",
      "constructor: unknown_field",
      "toString: unknown_field",
      "valueOf: unknown_field",
      "toJSON: unknown_field",
      "length: unknown_field",
      "prototype: unknown_field",
      "hasOwnProperty: unknown_field",
    ]);
  });

  test("names that every object inherits are undefined attributes like any other", async ({ send }) => {
    const body = '{"email":"ada@example.com","customAttributes":{"__proto__":1,"constructor":1}}';
    assertInvalid(await send({ method: "POST", path: "/api/v1/contacts", body }), [
      "customAttributes.__proto__: attribute_not_defined",
      "customAttributes.constructor: attribute_not_defined",
    ]);
  });

  test("attributes may have the names that every object inherits", async ({ post, get, tracker }) => {
    const customAttributes = { constructor: "a", toString: "b", toJSON: "c", hasOwnProperty: "d" };
    for (const key of Object.keys(customAttributes)) await tracker.attributes.define({ key, type: "text" });
    const answer = await post("/contacts", { email: "ada@example.com", customAttributes });
    assert.deepEqual(contactOf(answer).customAttributes, customAttributes);
    assert.deepEqual(contactOf(await get("/contacts/ada@example.com")).customAttributes, customAttributes);
  });

  for (const value of [{ toString: 1 }, { toString: null, valueOf: null }, { length: 5, trim: "x" }, { toJSON: 1 }]) {
    test(`${JSON.stringify(value)} for a text is of a wrong type`, async ({ post }) => {
      const fields = ["email", "externalId", "name", "avatarUrl", "signedUpAt", "customAttributes.note"];
      const [email, externalId, name, avatarUrl, signedUpAt, note] = fields.map(() => value);
      const body = { email, externalId, name, avatarUrl, signedUpAt, customAttributes: { note } };
      assertInvalid(
        await post("/contacts", body),
        fields.map((field) => `${field}: wrong_type`),
      );
      assertInvalid(await post("/events", { externalId: value, eventKey: value, properties: { p: value } }), [
        "externalId: wrong_type",
        "eventKey: wrong_type",
        "properties.p: wrong_type",
      ]);
    });
  }
}
