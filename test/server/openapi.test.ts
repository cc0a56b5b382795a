import assert from "node:assert/strict";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker } from "../../lib/index.ts";
import { createBeside } from "../../server/beside.ts";
import { callCommand } from "../support/call-command.ts";
import { toText } from "../support/raw-connection.ts";
import { withServer } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";

suite("the OpenAPI document of the server", (define) => {
  const test = testsOn(define, withServer);
  test("is answered at /openapi.json without a key, as `whodid openapi` prints it", async ({ connect }) => {
    const connection = await connect();
    connection.write(toText({ target: "/openapi.json?x=1" }));
    const { status, headers, body } = await connection.next();
    assert.deepEqual([status, headers.get("Content-Type")], [200, "application/json"]);
    const { exitCode, stdout, stderr } = await callCommand(["openapi"]);
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.deepEqual(JSON.parse(body), JSON.parse(stdout));
    const document = JSON.parse(body) as { components: { headers: object } };
    assert.ok(headers.has("X-Request-Id") && "X-Request-Id" in document.components.headers);
    assert.match(stdout, /^\{\n {2}"openapi": "3\.1\.0",\n/);
  });

  define("is made once, however many ask for it", async () => {
    const respond = createBeside(createTracker({ storage: memoryStorage() }), "/api/v1", null);
    const request = { method: "GET", path: "/openapi.json" };
    const [first, second] = [await respond(request), await respond(request)];
    assert.equal(first, second);
  });

  test("has no body for HEAD", async ({ connect }) => {
    const connection = await connect();
    connection.write(toText({ target: "/openapi.json", method: "HEAD" }) + toText({ target: "/openapi.json" }));
    const head = await connection.next("HEAD");
    const { status, headers } = await connection.next();
    assert.deepEqual([head.status, status], [200, 200]);
    assert.equal(head.headers.get("Content-Length"), headers.get("Content-Length"));
  });
});
