import assert from "node:assert/strict";
import type express5 from "express";
import type { Express, RequestHandler } from "express";
import type { Listener } from "../../adapters/node-http.ts";
import { codeOf } from "./raw-connection.ts";
import { serving, type ServingOptions } from "./serving.ts";
import { type Test, testsOn } from "./suite.ts";

const contact = '{"email":"ada@example.com","name":"é😀"}';
const ada = '{"email":"ada@example.com"}';

type Express5 = typeof express5;

/** The listener in an application, after the middleware and under the path. */
function inside(express: Express5, path: string, ...before: RequestHandler[]): ServingOptions {
  return { mount: (listener) => application(express, path, before, listener) };
}

function application(express: Express5, path: string, before: RequestHandler[], listener: Listener): Express {
  const app = express();
  for (const middleware of before) app.use(middleware);
  // `/api, then /v1` is a router at the first that has the listener at the second.
  const [outer = "/", inner] = path.split(", then ");
  const router = inner === undefined ? app : express.Router();
  router.use(inner ?? outer, listener);
  if (inner !== undefined) app.use(outer, router);
  app.use(((_request, response) => void response.status(418).end("passed on")) satisfies RequestHandler);
  return app;
}

/** The tests of the listener in a version of Express. */
export function testInExpress(define: Test, express: Express5): void {
  const test = testsOn(define, serving);
  for (const path of ["/", "/api/v1", "/api, then /v1"]) {
    for (const [name, before] of [
      ["nothing", []],
      ["express.json()", [express.json()]],
      ["express.json() twice", [express.json(), express.json()]],
      ["express.raw() of every type", [express.raw({ type: "*/*" })]],
      ["express.text() of every type", [express.text({ type: "*/*" })]],
      ["express.raw(), which declines JSON", [express.raw()]],
      ["express.text(), which declines JSON", [express.text()]],
      ["express.urlencoded(), which declines JSON", [express.urlencoded({ extended: true })]],
      ["all four parsers", [express.urlencoded({ extended: true }), express.json(), express.text(), express.raw()]],
    ] as const) {
      test(
        `mounted at ${path}, reads a body after ${name}`,
        async ({ ask, tracker }) => {
          assert.equal((await ask({ body: contact })).status, 201);
          assert.equal((await tracker.contacts.get("ada@example.com"))?.name, "é😀");
        },
        inside(express, path, ...before),
      );
    }

    test(
      `mounted at ${path}, answers what takes no body, with or without a query`,
      async ({ ask, tracker }) => {
        await tracker.contacts.upsert({ email: "ada@example.com", externalId: "a/b" });
        for (const target of [
          "/api/v1/contacts/a%2Fb",
          "/api/v1/contacts/a%2Fb?x=1",
          "http://x/api/v1/contacts/a%2fb",
        ]) {
          assert.equal((await ask({ target })).status, 200);
        }
        assert.equal(codeOf(await ask({ target: "/api/v1/contacts/%zz" })), "invalid_path");
        assert.equal(codeOf(await ask({ target: "/api/v1" })), "route_not_found");
        assert.equal(codeOf(await ask({ target: "/api/v1/?x=/contacts/a%2Fb" })), "route_not_found");
        assert.equal((await ask({ target: "/api/v1/contacts/a%2Fb", method: "DELETE" })).status, 200);
      },
      inside(express, path, express.json()),
    );
  }

  test(
    "never calls next, and leaves other paths to the application",
    async ({ ask }) => {
      assert.equal((await ask({ target: "/api/v1/nowhere" })).status, 404);
      assert.equal((await ask({ target: "/elsewhere" })).status, 418);
    },
    inside(express, "/api/v1"),
  );

  test(
    "tells an empty object that was sent from a body that was declined",
    async ({ ask }) => {
      const answer = await ask({ body: "{}" });
      assert.deepEqual([answer.status, codeOf(answer)], [400, "invalid_input"]);
    },
    inside(express, "/api/v1", express.json()),
  );

  test(
    "answers an empty body as ever, whoever looked at it before",
    async ({ ask, toText, connect }) => {
      const plain =
        '{"success":false,"error":{"code":"malformed_json","message":"The body is not valid JSON in UTF-8."}}';
      assert.equal((await ask({ body: "" })).body, plain);
      const connection = await connect();
      connection.write(toText({ headers: { "Transfer-Encoding": "chunked" } }) + "0\r\n\r\n");
      assert.equal((await connection.next()).body, plain);
    },
    inside(express, "/api/v1", express.json()),
  );

  test(
    "counts the bytes that express.raw() has let through",
    async ({ ask }) => {
      assert.equal(codeOf(await ask({ body: ada.padEnd(65_537) })), "body_too_large");
      assert.equal((await ask({ body: ada.padEnd(65_536) })).status, 201);
    },
    inside(express, "/api/v1", express.raw({ type: "*/*", limit: "1mb" })),
  );

  test(
    "answers 400 that names the line to add, when a body was read and left nowhere",
    async ({ ask, connect, toText }) => {
      const answer = await ask({ body: contact });
      assert.deepEqual([answer.status, codeOf(answer)], [400, "malformed_json"]);
      assert.match(answer.body, /listener\(request, response, body\)/);
      const connection = await connect();
      connection.write(toText({ body: contact }) + toText({ target: "/api/v1/contacts/u_1" }));
      assert.deepEqual([(await connection.next()).status, (await connection.next()).status], [400, 404]);
    },
    inside(express, "/api/v1", (request, _response, next) => void request.resume().once("end", next)),
  );

  test(
    "takes a body that the application parsed itself as the third argument",
    async ({ ask }) => assert.equal((await ask({ body: contact })).status, 201),
    {
      mount: (listener) => {
        const app = express();
        app.use("/api/v1", express.text({ type: "*/*" }), (request, response) => {
          const parsed = JSON.parse(request.body as string) as object;
          request.body = undefined;
          return void listener(request, response, parsed);
        });
        return app;
      },
    },
  );
}
