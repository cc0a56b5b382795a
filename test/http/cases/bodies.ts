import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused, contactOf } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const contact = '{"email":"ada@example.com"}';

/** From bytes to JSON. */
export function bodyCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [name, bytes] of [
    ["nothing", ""],
    ["white space", " \r\n\t"],
    ["a byte order mark alone", "\ufeff"],
    ["two byte order marks", `\ufeff\ufeff${contact}`],
    ["half an object", contact.slice(0, -1)],
    ["two objects", contact + contact],
    ["a comma too many", '{"email":"ada@example.com",}'],
    ["single quotes", "{'email':'ada@example.com'}"],
    ["a comment", `${contact}//`],
    ["NaN", '{"email":NaN}'],
    ["a raw line break in a text", '{"email":"ada\n"}'],
    ["a form", "email=ada%40example.com"],
    ["a byte that UTF-8 has not", Buffer.from(`{"email":"\xff@example.com"}`, "latin1")],
    ["a character cut in half", Buffer.from(`{"email":"ada@example.com","name":"é"}`).subarray(0, -3)],
    ["a half character inside", Buffer.from(`{"email":"ada@example.com","name":"\xc3"}`, "latin1")],
    ["an overlong slash", Buffer.from(`{"email":"ada@example.com","name":"\xc0\xaf"}`, "latin1")],
    ["an encoded surrogate", Buffer.from(`{"email":"ada@example.com","name":"\xed\xa0\x80"}`, "latin1")],
    ["UTF-16", Buffer.from(contact, "utf16le")],
    ["NUL after the object", `${contact}\0`],
  ] as const) {
    test(`a body of ${name} is no JSON`, async (client) =>
      assertRefused(await send(client, bytes), 400, "malformed_json"));
  }

  test("a byte order mark before the object is passed over", async (client) => {
    const answer = await send(client, `\ufeff${contact}`);
    assert.equal(answer.status, 201);
    assert.equal(contactOf(answer).email, "ada@example.com");
  });

  test("a byte order mark inside a text is kept", async (client) => {
    const answer = await send(client, '{"email":"ada@example.com","name":"\ufeffAda"}');
    assert.equal(contactOf(answer).name, "\ufeffAda");
  });

  for (const json of ["null", "[]", '"text"', "1", "true", `[${contact}]`]) {
    test(`${json} is JSON, but no input of any route`, async (client) => {
      for (const [method, path] of [
        ["POST", "/api/v1/contacts"],
        ["PATCH", "/api/v1/contacts/u_1"],
        ["POST", "/api/v1/events"],
      ] as const) {
        assertInvalid(await client.send({ method, path, body: json }), [": wrong_type"]);
      }
    });
  }

  test("a body of exactly 64 KiB is read, one of a byte more is answered 413", async (client) => {
    assert.equal((await send(client, contact.padEnd(65_536))).status, 201);
    assertRefused(await send(client, contact.padEnd(65_537)), 413, "body_too_large");
  });

  test("the size of a body is that of its bytes, not of its characters", async (client) => {
    // 40,000 characters of two bytes.
    const answer = await send(client, `{"email":"ada@example.com","name":"${"é".repeat(40_000)}"}`);
    assertRefused(answer, 413, "body_too_large");
  });

  const small = visitsTo(define, open, { maxBodyBytes: 100 });
  small("maxBodyBytes sets another size", async (client) => {
    assert.equal((await send(client, contact.padEnd(100))).status, 201);
    assertRefused(await send(client, contact.padEnd(101)), 413, "body_too_large");
  });

  test("a body nested thirty thousand deep is answered", async (client) => {
    const body = `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    assertInvalid(await send(client, body), ["email: wrong_type"]);
  });

  test("the last of a field sent twice counts", async (client) => {
    const answer = await send(client, '{"email":"ada@example.com","name":"a","name":"b"}');
    assert.equal(contactOf(answer).name, "b");
  });
}

function send(client: Client, body: string | Uint8Array): Promise<DoorAnswer> {
  return client.send({ method: "POST", path: "/api/v1/contacts", body });
}
