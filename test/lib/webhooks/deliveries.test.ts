import assert from "node:assert/strict";
import { deliver } from "../../../lib/webhooks/deliveries.ts";
import { delivering, key, track, until } from "../../support/webhook-delivery.ts";
import { suite } from "../../support/suite.ts";

suite({ name: "the deliveries of a process", atOnce: 3 }, (test) => {
  test("a webhook that is defined later is found, and one that is deleted ends", () =>
    delivering(
      () => 200,
      async ({ tracker, receiver: { received, url, trust }, errors, got }) => {
        await tracker.subscriptions.delete(key);
        await tracker.subscriptions.define({ key: "later", on: { contacts: true }, url });
        await track(tracker, "u_1");
        assert.equal((await tracker.subscriptions.webhook("later")).state, "no_secret");
        trust((await tracker.subscriptions.createSecret("later")).secret);
        await got(1);
        await track(tracker, "u_2");
        await got(2);
        assert.deepEqual([received.length, errors], [2, []]);
      },
    ));

  test("callers with one storage share them, and the last one ends them", () =>
    delivering(
      () => 200,
      async ({ tracker, scope, deliveries, got }) => {
        const other = deliver(scope);
        await deliveries.stop();
        await track(tracker, "u_1");
        await got(1);
        await until(() => other.stats().delivered === 1);
        await other.stop();
      },
    ));

  test("counts those that are down, and those that are disabled", () =>
    delivering(
      () => 410,
      async ({ tracker, deliveries }) => {
        await track(tracker, "u_1");
        await until(() => deliveries.stats().disabled === 1);
        const { delivered, failed, down, seconds } = deliveries.stats();
        assert.deepEqual([delivered, failed, down], [0, 1, 0]);
        assert.ok(seconds > 0);
      },
    ));
});
