import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";
import { track } from "../../support/webhook-delivery.ts";
import { until } from "../../support/within.ts";
import { startReceiver } from "../../support/webhook-receiver.ts";

suite("the work of a process with webhooks", (test) => {
  test("`work()` sends messages until it is stopped; a consumer and `until` send none", async () => {
    const receiver = await startReceiver();
    const tracker = createTracker({ storage: memoryStorage(), webhookAllow: [receiver.host] });
    await tracker.subscriptions.define({ key: "partner", on: { contacts: true }, url: receiver.url });
    await tracker.subscriptions.define({ key: "own", on: { contacts: true } });
    receiver.trust((await tracker.subscriptions.createSecret("partner")).secret);
    await track(tracker, "u_1");
    await tracker.work({ until: "caught-up" });
    await tracker.subscriptions.consume("own", { until: "caught-up" }, () => {});
    assert.equal(receiver.received.length, 0);
    const work = tracker.work();
    await until(() => work.webhooks().delivered === 1);
    await work.stop();
    await track(tracker, "u_2");
    await tracker.close();
    assert.equal(receiver.received.length, 1);
    await receiver.close();
  });
});
