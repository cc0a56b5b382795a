import assert from "node:assert/strict";
import { createClient } from "../../../lib/client/index.ts";
import { suite } from "../../support/suite.ts";

suite("createClient", (test) => {
  for (const [options, expected] of [
    [{ url: "whodid.internal", key: "sk_x" }, /url/],
    [{ url: "http://localhost", key: "" }, /key/],
    [{ url: "http://localhost", key: "sk_x", timeoutMs: 0 }, /timeoutMs/],
    [{ url: "http://localhost", key: "sk_x", retries: 3 }, /no option "retries"/],
  ] as [never, RegExp][]) {
    test(`refuses options: ${expected.source}`, () => assert.throws(() => createClient(options), expected));
  }
});
