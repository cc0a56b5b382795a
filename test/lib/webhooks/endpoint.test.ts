import assert from "node:assert/strict";
import { createEndpoint } from "../../../lib/webhooks/endpoint.ts";
import { delivering, key } from "../../support/webhook-delivery.ts";
import { suite } from "../../support/suite.ts";

suite("the endpoint of a webhook", (test) => {
  test("changes of two processes are all kept, and a read that is older than a change is not taken", () =>
    delivering(
      () => 200,
      async ({ storage, scope, errors }) => {
        const [row] = await storage.listWebhooks();
        const endpoints = [createEndpoint(scope, row!), createEndpoint(scope, row!)];
        const fail = Array.from({ length: 10 }, (_, n) =>
          endpoints[n % 2]!.change((state) => ({ ...state, failures: state.failures + 1 })),
        );
        await Promise.all(fail);
        assert.equal((await endpoints[0]!.read())?.state.failures, 10);
        endpoints[0]!.renew(row!);
        assert.equal(endpoints[0]!.row().state.failures, 10);
        await endpoints[1]!.change((state, now) => ({ ...state, downSince: now, lastError: "no" }));
        assert.match(errors.join(), /^Error: The webhook "partner" \(http:\/\/127\.0\.0\.1:\d+\) is down: no$/);
      },
    ));

  test("of a webhook that was deleted it is `null`", () =>
    delivering(
      () => 200,
      async ({ tracker, storage, scope }) => {
        const [row] = await storage.listWebhooks();
        await tracker.subscriptions.delete(key);
        const endpoint = createEndpoint(scope, row!);
        assert.equal(await endpoint.change((state) => ({ ...state, failures: 1 })), null);
        assert.equal(await endpoint.read(), null);
      },
    ));
});
