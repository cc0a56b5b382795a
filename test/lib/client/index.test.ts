import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/index.ts";
import { suite } from "../../support/suite.ts";

suite("createClient", (test) => {
  for (const [options, expected] of [
    [{ url: "whodid.internal", key: "sk_x" }, /url/],
    [{ url: "localhost:3000", key: "sk_x" }, /http or https URL/],
    [{ url: "/api/v1", key: "sk_x" }, /with its base path, as in https:\/\/whodid\.internal\/api\/v1, /],
    [{ url: "http://ada@localhost", key: "sk_x" }, /without credentials/],
    [{ url: "http://localhost/?a=b", key: "sk_x" }, /query or fragment/],
    [{ url: "http://localhost", key: "" }, /key/],
    [{ url: "http://localhost", key: "sk_\u2713" }, /an API key/],
    [{ url: "http://localhost", key: "sk_x", timeoutMs: 2 ** 31 }, /whole number from 1 to/],
    [{ url: "http://localhost", key: "sk_x", timeoutMs: 0 }, /timeoutMs/],
    [{ url: "http://localhost", key: "sk_x", maxWaitMs: 499 }, /maxWaitMs must be a whole number from 500 to/],
    [{ url: "http://localhost", key: "sk_x", maxWaitMs: Infinity }, /maxWaitMs must be/],
    [{ url: "http://localhost", key: "sk_x", retries: 3 }, /no option "retries"/],
  ] as [never, RegExp][]) {
    test(`refuses options: ${expected.source}`, () => assert.throws(() => createClient(options), expected));
  }
});
