import assert from "node:assert/strict";
import {
  addSecret,
  contactFailure,
  enabled,
  newWebhook,
  probing,
  signingSecrets,
  stateAfter,
  turnAt,
  withoutSecret,
  type TryResult,
} from "../../../lib/decisions/webhooks.ts";
import { webhookPausesSeconds } from "../../../lib/model/limits.ts";
import type { SecretRow, WebhookState } from "../../../lib/storage/webhooks.ts";
import { suite } from "../../support/suite.ts";

const webhookPausesMs = webhookPausesSeconds.map((seconds) => 1_000 * seconds);
const now = Date.parse("2026-01-31T09:00:00.000Z");
const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];
const delivered: TryResult = { kind: "delivered", status: 200 };
const failing: TryResult = { kind: "failed", status: null, error: "No answer." };

function after(state: WebhookState, result: TryResult, at: number, { isProbe = false, pace = 1 } = {}): WebhookState {
  return stateAfter(state, result, { now: at, isProbe, pace });
}

/** The state after so many failures, one each `everyMs`, the first now. */
function afterFailures(count: number, everyMs: number, begin: WebhookState = newWebhook, pace = 1): WebhookState {
  let state = begin;
  for (let n = 0; n < count; n++) state = after(state, failing, now + n * everyMs, { pace });
  return state;
}

const down = afterFailures(10, 4 * secondMs);
const downAt = now + 36 * secondMs;

const turn = (state: WebhookState, at: number, pace = 1): object => turnAt(state, at, { pace });

suite("decisions about webhooks", (test) => {
  test("a pause lasts for all tries, and counts for nothing", () => {
    const paused = after(afterFailures(9, 4 * secondMs), { kind: "paused", status: 429, pauseMs: minuteMs }, downAt);
    assert.deepEqual(turn(paused, downAt + minuteMs - 1), { kind: "none", until: downAt + minuteMs });
    assert.deepEqual(turn(paused, downAt + minuteMs), { kind: "any" });
    assert.deepEqual([paused.failures, paused.downSince, paused.lastStatus], [9, null, 429]);
    const shorter = after(paused, { kind: "paused", status: 429, pauseMs: 1 }, downAt);
    assert.equal(shorter.pausedUntil, paused.pausedUntil);
  });

  for (const [count, everyMs, isDown] of [
    [9, minuteMs, false],
    [10, 30_000 / 9, true],
    [10, 3_333, false],
    [100, 303, false],
  ] as const) {
    test(`an endpoint that fails ${count} times, each ${Math.round(everyMs)} ms, is ${isDown ? "" : "not "}down`, () => {
      const { failures, firstFailureAt, downSince } = afterFailures(count, everyMs);
      assert.deepEqual([failures, firstFailureAt, downSince !== null], [count, now, isDown]);
    });
  }

  test("a success begins the count of failures anew, and ends what was down", () => {
    const up = after(afterFailures(9, 4 * secondMs), delivered, downAt);
    assert.deepEqual(up, { ...newWebhook, lastSuccessAt: downAt, lastTryAt: downAt, lastStatus: 200 });
    assert.equal(afterFailures(9, 4 * secondMs, up).downSince, null);
    assert.deepEqual(after(down, delivered, downAt, { isProbe: true }), up);
  });

  test("a success is stored after a failure, or a minute after the last", () => {
    const up = after(newWebhook, delivered, now);
    assert.equal(after(up, delivered, now + minuteMs - 1), up);
    assert.equal(after(up, delivered, now + minuteMs).lastSuccessAt, now + minuteMs);
    const paused = after(after(up, failing, now + 1), { kind: "paused", status: 429, pauseMs: 1 }, now + 2);
    assert.equal(after(paused, delivered, now + 3).lastSuccessAt, now + 3);
  });

  test("an endpoint that is down is probed at the pauses, and disabled after five days", () => {
    let state = down;
    const pauses: number[] = [];
    for (let at = downAt; state.disabledAt === null;) {
      const { until } = turnAt({ ...state, lastTryAt: Infinity }, at, { pace: 1 }) as { until: number };
      pauses.push((until - at) / secondMs);
      at = until;
      assert.deepEqual(turn(state, at), { kind: "probe", untriedOnly: false });
      state = after(probing(state, at, { pace: 1 }), failing, at, { isProbe: true });
    }
    assert.deepEqual(pauses, [...webhookPausesMs.map((ms) => ms / secondMs), 86_400, 86_400]);
    assert.equal(state.disabledReason, "down_too_long");
    assert.ok(state.disabledAt! - state.downSince! >= 5 * dayMs);
    assert.deepEqual(turn(state, Infinity), { kind: "none", until: Infinity });
  });

  test("while a probe runs no other try begins, until its lease ends", () => {
    const at = downAt + 5 * secondMs;
    const leased = probing(down, at, { pace: 1 });
    assert.deepEqual(turn(leased, at), { kind: "none", until: at + 20 * secondMs });
    assert.deepEqual(turn(leased, at + 20 * secondMs), { kind: "probe", untriedOnly: false });
    assert.equal(after(down, failing, at), down);
  });

  test("a contact not tried since the endpoint went down is probed after 5 minutes, beside the pauses", () => {
    const state = { ...down, probes: 5, lastTryAt: downAt, nextProbeAt: downAt + 10 * hourMs };
    const at = downAt + 5 * minuteMs;
    assert.deepEqual(turn(state, at - 1), { kind: "none", until: at });
    assert.deepEqual(turn(state, at), { kind: "probe", untriedOnly: true });
    const leased = probing(state, at, { pace: 1 });
    assert.deepEqual(turn(leased, at), { kind: "none", until: at + 5 * minuteMs });
    const tried = after(leased, failing, at + 1, { isProbe: true });
    assert.deepEqual([tried.probes, tried.nextProbeAt], [5, state.nextProbeAt]);
    assert.deepEqual(turn(tried, at + 1), { kind: "none", until: at + 1 + 5 * minuteMs });
  });

  test("410 disables at once, and a person enables", () => {
    const gone = after({ ...down, lastSuccessAt: now }, { kind: "gone", status: 410, error: "Gone." }, downAt);
    assert.deepEqual([gone.disabledAt, gone.disabledReason, gone.lastStatus], [downAt, "gone", 410]);
    assert.deepEqual(turn(gone, downAt + dayMs), { kind: "none", until: Infinity });
    const { lastTryAt, lastStatus, lastError } = gone;
    assert.deepEqual(enabled(gone), { ...newWebhook, lastSuccessAt: now, lastTryAt, lastStatus, lastError });
  });

  test("a thousandth of the pauses shortens all times but the lease of a probe", () => {
    const state = afterFailures(10, 4, newWebhook, 0.001);
    assert.deepEqual([state.downSince, state.nextProbeAt], [now + 36, now + 41]);
    assert.equal(probing(state, now, { pace: 0.001 }).nextProbeAt, now + secondMs);
    assert.deepEqual(turn({ ...state, nextProbeAt: Infinity }, now + 336, 0.001), { kind: "probe", untriedOnly: true });
  });

  test("a contact pauses longer with each failure, spread by a fifth, and is parked at last", () => {
    const up = { ...newWebhook, lastSuccessAt: now };
    const failureOf = (before: number, random = 0.5, state: WebhookState = up) =>
      contactFailure(before, state, { now, random, pace: 1 });
    const pauses = webhookPausesMs.map((_, before) => failureOf(before));
    assert.deepEqual(
      pauses,
      webhookPausesMs.map((pauseMs, before) => ({ failures: before + 1, pauseMs })),
    );
    assert.deepEqual(
      [0, 1].map((random) => Math.round(failureOf(3, random).pauseMs!)),
      [6_480_000, 7_920_000],
    );
    assert.deepEqual(failureOf(9), { failures: 10, pauseMs: null });
    const triedMs = 0.9 * webhookPausesMs.reduce((sum, ms) => sum + ms, 0);
    for (const lastSuccessAt of [null, now - triedMs])
      assert.deepEqual(failureOf(9, 0.5, { ...up, lastSuccessAt }), { failures: 10, pauseMs: dayMs });
    assert.deepEqual(failureOf(9, 0.5, down), { failures: 9, pauseMs: 5 * secondMs });
  });

  test("two secrets sign, a third is refused until the older has ended a day later, or was deleted", () => {
    const draft = (id: string) => ({ id, secret: `whsec_${id}` });
    const first = addSecret([], draft("a"), now) as SecretRow[];
    const both = addSecret(first, draft("b"), now + 1) as SecretRow[];
    const [a, b] = [{ ...first[0]!, endsAt: now + 1 + dayMs }, both[0]!];
    assert.deepEqual([first[0]?.endsAt, b.endsAt, both], [null, null, [b, a]]);
    assert.deepEqual(signingSecrets([a, b], now + dayMs), [b, a]);
    assert.deepEqual(signingSecrets(both, now + 1 + dayMs), [b]);
    assert.deepEqual(addSecret(both, draft("c"), now + dayMs), { refused: { code: "secrets_taken" } });
    const c = { ...draft("c"), createdAt: now + 1 + dayMs, endsAt: null };
    assert.deepEqual(addSecret(both, draft("c"), now + 1 + dayMs), [c, { ...b, endsAt: now + 1 + 2 * dayMs }]);
    assert.deepEqual(withoutSecret(both, "b", now + 2), first);
    assert.deepEqual(withoutSecret(both, "a", now + 2), [b]);
    assert.deepEqual(withoutSecret(both, "c", now + 1 + dayMs), [b]);
  });
});
