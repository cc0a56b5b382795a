import assert from "node:assert/strict";
import type { Storage, Tracker } from "../../../lib/index.ts";
import { within } from "../../support/within.ts";
import { assertInvalid } from "../answers.ts";
import { openInProcess, type Door, type DoorAnswer, type DoorCall } from "../door.ts";
import { withFaults, type Fault } from "./faults.ts";
import { attributeTypes } from "./intents.ts";
import { verify, type Model } from "./model.ts";
import { watchPrototypes } from "./prototypes.ts";
import type { Attempt, ExpectedError } from "./requests.ts";
import type { Step } from "./steps.ts";
import type { AnswerCounts } from "./answer-counts.ts";

const limit = 22;

/** Sends the requests one after another to a tracker of their own, and compares every answer, and at the end all that is stored. */
export async function play(storage: Storage, steps: readonly Step[], answerCounts: AnswerCounts): Promise<void> {
  const faulty = withFaults(storage);
  let nowMs = Date.parse("2026-11-20T10:00:00.000Z");
  let reported = 0;
  const door = await openInProcess(() => faulty.storage)({
    now: () => new Date(nowMs),
    rateLimit: { requests: limit, perSeconds: 60 },
    onError: () => reported++,
  });
  const { tracker } = door;
  await tracker.provision({ attributes: Object.entries(attributeTypes).map(([key, type]) => ({ key, type })) });
  const { key } = await tracker.apiKeys.create({ name: "test" });
  const model: Model = { contacts: [], replays: new Map() };
  const assertPrototypes = watchPrototypes();
  let window = 0;
  let used = 0;
  for (const { attempt, authorization, fault, waitMs } of steps) {
    nowMs += waitMs;
    if (Math.floor(nowMs / 60_000) !== window) used = 0;
    window = Math.floor(nowMs / 60_000);
    const reportedBefore = reported;
    faulty.expect(fault);
    const headers = { ...authorizations(key)[authorization], ...attempt.call.headers };
    const answer = await within(5_000, "an answer", door.send({ ...attempt.call, headers }));
    const happened = faulty.happened();
    assertPrototypes();
    const isCounted = authorization === "valid" && !["findApiKey", "consume"].includes(happened?.method ?? "");
    if (isCounted) used++;
    assert.equal(answer.headers.get("X-RateLimit-Remaining"), String(isCounted ? Math.max(0, limit - used) : limit));
    assert.equal(reported - reportedBefore, happened?.code === "internal" ? 1 : 0);
    const refusal = refusalOf(attempt, authorization, happened, used);
    if (refusal) assertAnswer(answer, attempt.call, refusal);
    else verify(model, attempt.intent!, answer, new Date(nowMs).toISOString());
    answerCounts.add(attempt.route, answer.status, refusal?.code ?? codeOf(answer));
  }
  faulty.expect(null);
  await assertStored(door, tracker, model);
  await door.close();
}

function authorizations(key: string): Record<Step["authorization"], Record<string, string>> {
  const invalid = { authorization: `Bearer sk_${"A".repeat(43)}` };
  return { valid: { authorization: `Bearer ${key}` }, missing: {}, invalid };
}

/** The first thing that keeps the request from its meaning, in the order of refusals. */
function refusalOf(
  { call, refusal }: Attempt,
  authorization: Step["authorization"],
  happened: Fault | null,
  used: number,
): ExpectedError | null {
  if (happened) return { status: happened.code === "internal" ? 500 : 503, code: happened.code };
  if (authorization !== "valid") return { status: 401, code: `${authorization}_api_key` };
  if (used > limit) return { status: 429, code: "rate_limited" };
  if (refusal) return refusal;
  return Buffer.byteLength(call.body ?? "") > 65_536 ? { status: 413, code: "body_too_large" } : null;
}

function assertAnswer(answer: DoorAnswer, { method }: DoorCall, refusal: ExpectedError): void {
  const { status, code, issues } = refusal;
  if (method === "HEAD") return assert.deepEqual([answer.status, answer.body], [status, null]);
  assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
  if (issues) assertInvalid(answer, issues);
}

function codeOf({ body }: DoorAnswer): string {
  return (body as { error?: { code: string } } | null)?.error?.code ?? "";
}

async function assertStored(door: Door, tracker: Tracker, { contacts }: Model): Promise<void> {
  const { items } = await tracker.contacts.list({ limit: 1_000 });
  assert.deepEqual(
    items,
    contacts.map(({ shown }) => shown),
  );
  for (const { shown, events } of contacts) {
    const { key } = await tracker.apiKeys.create({ name: "reader" });
    const path = `/api/v1/contacts/${encodeURIComponent(shown.externalId)}`;
    const { body } = await door.send({ method: "GET", path, headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual(body, { success: true, contact: shown });
    const stored = await tracker.events.list(shown.externalId, { limit: 1_000 });
    assert.deepEqual(stored.items, events.toReversed());
  }
}
