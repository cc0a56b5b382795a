import assert from "node:assert/strict";
import { codeOf } from "../../support/raw-connection.ts";
import { serving } from "../../support/serving.ts";
import { suite, testsOn } from "../../support/suite.ts";

suite("a request's target", (define) => {
  const test = testsOn(define, serving);
  test(
    "needs no base path",
    async ({ ask }) => {
      assert.equal(codeOf(await ask({ target: "/contacts/u_1" })), "contact_not_found");
      assert.equal(codeOf(await ask({ target: "/api/v1/contacts/u_1" })), "route_not_found");
    },
    { basePath: "" },
  );

  for (const origin of ["http://localhost", "http://localhost:3000", "https://[::1]", "HTTP://user@example.com:80"]) {
    test(`may be absolute, as proxies send it: ${origin}`, async ({ ask, tracker }) => {
      await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
      assert.equal((await ask({ target: `${origin}/api/v1/contacts/u_1` })).status, 200);
      assert.equal((await ask({ target: `${origin}/contacts/u_1?x=%zz` })).status, 200);
      assert.equal(codeOf(await ask({ target: `${origin}/nowhere` })), "route_not_found");
      assert.equal(codeOf(await ask({ target: origin })), "route_not_found");
    });
  }

  test("has no path where the only slash of an absolute one stands in its query", async ({ ask, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u_1" });
    assert.equal(codeOf(await ask({ target: "http://localhost?x=/api/v1/contacts/u_1" })), "route_not_found");
  });

  test("is a path even where it looks like a host", async ({ ask }) => {
    assert.equal(codeOf(await ask({ target: "//localhost/api/v1/contacts/u_1" })), "route_not_found");
    assert.equal(codeOf(await ask({ target: "/http://localhost/api/v1/contacts/u_1" })), "route_not_found");
  });

  test("is not normalised on the way", async ({ ask, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: ".." });
    assert.equal((await ask({ target: "/api/v1/contacts/.." })).status, 200);
    assert.equal((await ask({ target: "/api/v1/contacts/%2e%2e" })).status, 200);
    assert.equal(codeOf(await ask({ target: "/api/v1/x/../contacts/u_1" })), "route_not_found");
    assert.equal(codeOf(await ask({ target: "/api/v1//contacts/u_1" })), "route_not_found");
  });

  test("may be the asterisk of OPTIONS, which is no route", async ({ ask }) => {
    assert.equal(codeOf(await ask({ target: "*", method: "OPTIONS" })), "route_not_found");
  });

  test("with bytes beyond ASCII is no valid path", async ({ connect, toText }) => {
    for (const segment of ["é", "\x80", "😀"]) {
      const connection = await connect();
      connection.write(toText({ target: `/api/v1/contacts/${segment}` }));
      assert.equal((await connection.next()).status, 400);
    }
  });
});
