import assert from "node:assert/strict";
import { deliver } from "../../../lib/webhooks/deliveries.ts";
import { delivering, key, track } from "../../support/webhook-delivery.ts";
import { until } from "../../support/within.ts";
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

  test("a webhook whose changes expired goes on once it is resumed and enabled, in the same process", () =>
    delivering(
      () => 200,
      async ({ tracker: { subscriptions, ...tracker }, storage, deliveries, got }) => {
        const { takeChanges } = storage;
        storage.takeChanges = async () => ({ refused: { code: "changes_expired" } });
        await until(async () => (await subscriptions.webhook(key)).disabledReason === "changes_expired");
        assert.equal(deliveries.stats().disabled, 1);
        storage.takeChanges = takeChanges;
        await subscriptions.resume(key, { from: "oldest" });
        await subscriptions.enable(key);
        await tracker.contacts.upsert({ email: "ada@example.com" });
        await got(1);
      },
    ));

  test("another `concurrency` is that of the messages that follow", () => {
    let running = 0;
    let most = 0;
    return delivering(
      (_, response) => {
        most = Math.max(most, ++running);
        setTimeout(() => response.writeHead(200).end(), 20).ref();
        response.on("finish", () => running--);
        return undefined;
      },
      async ({ tracker, receiver: { url }, storage, got }) => {
        await tracker.subscriptions.define({ key, on: { contacts: true }, url: `${url}?token=t`, concurrency: 1 });
        // The look that finds it is over when a later one begins.
        const { listWebhooks } = storage;
        let looks = 0;
        storage.listWebhooks = () => (looks++, listWebhooks());
        await until(() => looks > 1);
        for (const name of ["u_1", "u_2", "u_3", "u_4"]) await track(tracker, name);
        await got(4);
        assert.equal(most, 1);
      },
    );
  });

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
