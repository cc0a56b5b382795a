import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { DoorAnswer, DoorCall, OpenDoor } from "../door.ts";

const marker = "mArKeR4711";

function jsonCall(method: string, path: string, body: object): DoorCall {
  return { method, path: `/api/v1${path}`, body: JSON.stringify(body) };
}

/** Where a received value might slip into an answer. */
const places: [place: string, status: number, call: DoorCall][] = [
  ["the path of no route", 404, { method: "GET", path: `/api/v1/${marker}` }],
  ["a path that is not validly encoded", 400, { method: "GET", path: `/api/v1/contacts/${marker}%zz` }],
  ["a query", 404, { method: "GET", path: `/api/v1/contacts/u_1?${marker}=${marker}` }],
  ["an externalId looked for", 404, { method: "GET", path: `/api/v1/contacts/${marker}` }],
  ["an externalId that cannot be one", 400, { method: "GET", path: `/api/v1/contacts/${marker}%20` }],
  ["an identifier to delete", 404, { method: "DELETE", path: `/api/v1/contacts/${marker}` }],
  ["a key", 401, { method: "GET", path: "/api/v1/contacts/u_1", headers: { authorization: `Bearer sk_${marker}` } }],
  ["a scheme", 401, { method: "GET", path: "/api/v1/contacts/u_1", headers: { authorization: marker } }],
  ["a media type", 415, { ...jsonCall("POST", "/contacts", {}), headers: { "content-type": `text/${marker}` } }],
  [
    "an idempotency key",
    400,
    {
      ...jsonCall("POST", "/events", { externalId: "u_1", eventKey: "x" }),
      headers: { "idempotency-key": `${marker} ` + marker },
    },
  ],
  ["a body that is no JSON", 400, { method: "POST", path: "/api/v1/contacts", body: `{"email": ${marker}}` }],
  ["a body that is a text", 400, { method: "POST", path: "/api/v1/contacts", body: `"${marker}"` }],
  ["an email", 400, jsonCall("POST", "/contacts", { email: marker })],
  ["an object for an email", 400, jsonCall("POST", "/contacts", { email: { toString: marker, [marker]: 1 } })],
  ["an externalId", 400, jsonCall("POST", "/contacts", { email: "a@b", externalId: ` ${marker}` })],
  ["a name", 400, jsonCall("POST", "/contacts", { email: "a@b", name: marker.repeat(101) })],
  ["a list for a name", 400, jsonCall("POST", "/contacts", { email: "a@b", name: [marker] })],
  ["an avatarUrl", 400, jsonCall("POST", "/contacts", { email: "a@b", avatarUrl: `ftp://${marker}` })],
  ["a signedUpAt", 400, jsonCall("POST", "/contacts", { email: "a@b", signedUpAt: marker })],
  ["an unknown field", 400, jsonCall("POST", "/contacts", { email: "a@b", nickname: marker })],
  ["an undefined attribute", 400, jsonCall("POST", "/contacts", { email: "a@b", customAttributes: { x: marker } })],
  [
    "an attribute of a wrong type",
    400,
    jsonCall("POST", "/contacts", { email: "a@b", customAttributes: { n: marker } }),
  ],
  ["customAttributes that are a text", 400, jsonCall("POST", "/contacts", { email: "a@b", customAttributes: marker })],
  ["an event key", 400, jsonCall("POST", "/events", { externalId: "u_1", eventKey: `${marker}\n` })],
  ["a property", 400, jsonCall("POST", "/events", { externalId: "u_1", eventKey: "x", properties: { p: [marker] } })],
  ["an event of no contact", 404, jsonCall("POST", "/events", { externalId: marker, eventKey: marker })],
  ["an older event of no contact", 404, jsonCall("POST", "/events", { email: `${marker}@example.com`, event: marker })],
  ["a patch of no contact", 404, jsonCall("PATCH", `/contacts/${marker}`, { name: marker })],
];

/** One shape for every error, which repeats no received value. */
export function errorCases(define: Test, open: OpenDoor): void {
  const test = visitsTo(define, open);

  for (const [place, status, call] of places) {
    test(`the answer does not repeat ${place}`, async ({ send, tracker }) => {
      await tracker.attributes.define({ key: "n", type: "number" });
      const answer = await send(call);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.equal(wholeText(answer).toLowerCase().includes(marker.toLowerCase()), false, wholeText(answer));
    });
  }

  test("the name of an unknown field is repeated as a path and in the message, and nowhere else", async ({ post }) => {
    const answer = await post("/contacts", { email: "a@b", [marker]: 1 });
    assertInvalid(answer, [`${marker}: unknown_field`]);
    assert.equal(wholeText(answer).split(marker).length, 3);
    const { error } = answer.body as { error: { message: string } };
    assert.equal(error.message, `${marker}: there is no such field.`);
  });

  test("a reused idempotency key is not repeated, nor what it was used with", async ({ post }) => {
    await post("/contacts", { email: "ada@example.com" });
    const event = { externalId: "ada@example.com", eventKey: marker };
    await post("/events", event, { "idempotency-key": marker });
    const answer = await post("/events", { ...event, eventKey: "x" }, { "idempotency-key": marker });
    assertRefused(answer, 422, "idempotency_key_reused");
    assert.equal(wholeText(answer).includes(marker), false);
  });

  test("every answer is JSON and states its length", async ({ get, post }) => {
    for (const answer of [await post("/contacts", { email: "ünï@example.com" }), await get("/nowhere")]) {
      assert.equal(answer.headers.get("Content-Type"), "application/json");
      const length = Buffer.byteLength(JSON.stringify(answer.body));
      assert.equal(answer.headers.get("Content-Length"), String(length));
    }
  });

  test("a storage that cannot be reached is answered 503 with a time to try again", async ({ tracker, get }) => {
    await tracker.close();
    const answer = await get("/contacts/u_1");
    assertRefused(answer, 503, "storage_unavailable");
    assert.match(answer.headers.get("Retry-After") ?? "", /^[1-9][0-9]*$/);
    assert.equal(answer.headers.get("X-RateLimit-Limit"), "100");
  });
}

function wholeText({ headers, body }: DoorAnswer): string {
  return `${JSON.stringify([...headers])}\n${JSON.stringify(body)}`;
}
