import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertRefused } from "../answers.ts";
import { visitsTo, type Client } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";

const contact = '{"email":"ada@example.com"}';

export function mediaTypeCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const mediaType of [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json ; Charset=Utf-8",
    "application/json;",
    "application/json; version=1",
    "application/json; version=1; charset=utf-8;",
  ]) {
    test(`${mediaType} is read`, async (client) => assert.equal((await send(client, mediaType)).status, 201));
  }

  for (const mediaType of [
    "",
    "json",
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json; version=1; charset=utf-16",
  ]) {
    test(`${JSON.stringify(mediaType)} is answered 415`, async (client) =>
      assertRefused(await send(client, mediaType), 415, "unsupported_media_type"));
  }

  for (const encoding of ["gzip", "deflate", "br", "identity, gzip", "nothing"]) {
    test(`a body with the Content-Encoding ${encoding} is answered 415`, async (client) => {
      const headers = { "content-encoding": encoding };
      const call = { method: "POST", path: "/api/v1/contacts", headers, body: "x".repeat(70_000) };
      assertRefused(await client.send(call), 415, "unsupported_media_type");
    });
  }

  test("a Content-Encoding of identity is none, and one without a body is ignored", async (client) => {
    for (const encoding of ["identity", "Identity"]) {
      const headers = { "content-encoding": encoding };
      await client.send({ method: "POST", path: "/api/v1/contacts", headers, body: contact });
    }
    const headers = { "content-encoding": "gzip" };
    const answer = await client.send({ method: "GET", path: "/api/v1/contacts/ada@example.com", headers });
    assert.equal(answer.status, 200);
  });

  test("a body without a media type is answered 415, by each route that takes one", async ({ door, key }) => {
    const headers = { authorization: `Bearer ${key}` };
    for (const [method, path] of [
      ["POST", "/api/v1/contacts"],
      ["PATCH", "/api/v1/contacts/u_1"],
      ["POST", "/api/v1/events"],
    ] as const) {
      const answer = await door.send({ method, path, headers, body: contact });
      assertRefused(answer, 415, "unsupported_media_type");
    }
  });
}

function send(client: Client, mediaType: string): Promise<DoorAnswer> {
  const headers = { "content-type": mediaType };
  return client.send({ method: "POST", path: "/api/v1/contacts", headers, body: contact });
}
