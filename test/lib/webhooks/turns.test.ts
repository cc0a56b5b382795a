import assert from "node:assert/strict";
import { createTurns } from "../../../lib/webhooks/turns.ts";
import { suite } from "../../support/suite.ts";

const longMs = 10_000;
const mib = 1_024 * 1_024;

suite("the turns of webhooks", (test) => {
  test("64 tries run at once, and the next begins when one ends", async () => {
    const enter = createTurns();
    const leaves = await Promise.all(Array.from({ length: 64 }, () => enter("a", 1, longMs)));
    const next = enter("a", 1, longMs);
    assert.equal(await enter("a", 1, 1), null);
    leaves[0]!();
    assert.ok(await next);
  });

  test("their bodies have 32 MiB in all, and a larger one runs alone", async () => {
    const enter = createTurns();
    const large = await enter("a", 40 * mib, longMs);
    assert.equal(await enter("b", 1, 1), null);
    large!();
    const first = await enter("a", 20 * mib, longMs);
    assert.equal(await enter("a", 20 * mib, 1), null);
    first!();
    assert.ok(await enter("a", 20 * mib, longMs));
  });

  test("the webhook that began a try the longest ago is next", async () => {
    const enter = createTurns();
    const leaves = await Promise.all(Array.from({ length: 64 }, () => enter("busy", 1, longMs)));
    const order: string[] = [];
    const began = ["busy", "busy", "other"].map((webhook) => enter(webhook, 1, longMs).then(() => order.push(webhook)));
    leaves[0]!();
    await began[2];
    leaves[1]!();
    leaves[2]!();
    await Promise.all(began);
    assert.deepEqual(order, ["other", "busy", "busy"]);
  });
});
