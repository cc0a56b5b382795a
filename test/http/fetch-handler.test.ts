import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";
import { toRequest } from "./door.ts";

async function openTracker(): Promise<{ tracker: Tracker; key: string }> {
  const tracker = createTracker({ storage: memoryStorage() });
  const { key } = await tracker.apiKeys.create({ name: "test" });
  return { tracker, key };
}

const contact = '{"email":"ada@example.com"}';

function post(key: string, body = contact): Request {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return toRequest({ method: "POST", path: "/api/v1/contacts", headers, body });
}

/** What only `handle` can be asked: the rest is in the cases. */
suite("handle", (test) => {
  test("needs no this", async () => {
    const { tracker, key } = await openTracker();
    const { handle } = tracker;
    assert.equal((await handle(post(key))).status, 201);
    assert.equal((await Reflect.apply(handle, null, [post(key)])).status, 200);
  });

  test("answers 400 to a request whose body was read already, and says what to do", async () => {
    const { tracker, key } = await openTracker();
    const request = post(key);
    await request.text();
    const response = await tracker.handle(request);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    assert.deepEqual([response.status, error.code], [400, "malformed_json"]);
    assert.match(error.message, /clone/);
  });

  test("answers 400 to a request whose body is being read elsewhere", async () => {
    const { tracker, key } = await openTracker();
    const request = post(key);
    request.body?.getReader();
    assert.equal((await tracker.handle(request)).status, 400);
  });

  test("reads the clone of a request and leaves the request readable", async () => {
    const { tracker, key } = await openTracker();
    const request = post(key);
    assert.equal((await tracker.handle(request.clone())).status, 201);
    assert.equal(await request.text(), contact);
  });

  test("does not read the body of a request that needs none", async () => {
    const { tracker } = await openTracker();
    const request = post(`sk_${"A".repeat(43)}`);
    assert.equal((await tracker.handle(request)).status, 401);
    assert.equal(request.bodyUsed, false);
  });

  test("any host, port and scheme of the URL will do", async () => {
    const { tracker, key } = await openTracker();
    const headers = { authorization: `Bearer ${key}` };
    for (const origin of ["https://api.example.com", "http://[::1]:8080", "http://localhost"]) {
      const response = await tracker.handle(new Request(`${origin}/api/v1/contacts/u_1#part`, { headers }));
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, "contact_not_found");
    }
  });

  test("a URL without a path is no route", async () => {
    const { tracker, key } = await openTracker();
    const headers = { authorization: `Bearer ${key}` };
    for (const url of [
      "http://localhost",
      "http://localhost?a=/api/v1/contacts/u_1",
      "http://localhost#/contacts/u_1",
    ]) {
      const response = await tracker.handle(new Request(url, { headers }));
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, "route_not_found");
    }
  });
});
