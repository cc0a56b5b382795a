/** Sends the messages of one webhook, as a consumer of its subscription. */
import { startConsumer, type Turn } from "../consumers/consumer.ts";
import type { HandlerContext } from "../consumers/methods.ts";
import { contactFailure, disabled, probing, stateAfter, turnAt, type TryResult } from "../decisions/webhooks.ts";
import { isTrackerError } from "../model/errors.ts";
import { emptyProbePauseMs, stopWaitMs, webhookWaitMs } from "../model/limits.ts";
import type { Change } from "../model/change-types.ts";
import type { WebhookStats } from "../model/webhook-types.ts";
import type { Scope } from "../scope.ts";
import type { WebhookRow, WebhookState } from "../storage/webhooks.ts";
import { resultOf } from "./answers.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import { contentOf, signed, type Content } from "./message.ts";
import type { Poster } from "./post.ts";
import type { Enter } from "./turns.ts";

/** The parts that the webhooks of a process share. */
export interface Shared {
  poster: Poster;
  enter: Enter;
  stats: Pick<WebhookStats, "delivered" | "failed" | "seconds">;
  /** The factor of all pauses: 1, except in tests. */
  pace: number;
  leaseSeconds: number;
}

/** The messages of one webhook, until they are stopped. */
export interface Delivery {
  endpoint: Endpoint;
  /** Whether it ended by itself, as when changes expired. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** The try was not made, or does not count. Its change is taken again. */
class NotTried extends Error {}

class TryFailed extends Error {
  override readonly name = "TryFailed";
  readonly state: WebhookState;

  constructor(message: string, state: WebhookState) {
    super(message);
    this.state = state;
  }
}

/** Longer than a try with its look-ups. */
const handlerTimeoutSeconds = 30;

export function startDelivery(given: Scope, webhook: WebhookRow, shared: Shared): Delivery {
  const { poster, enter, stats, pace, leaseSeconds } = shared;
  const { subscriptionId, key, concurrency } = webhook;
  // A webhook that was deleted is no error: the next look stops its delivery.
  const report = (error: unknown): void =>
    isTrackerError(error) && error.code === "definition_not_found" ? undefined : given.report?.(error);
  const scope: Scope = { ...given, report };
  const endpoint = createEndpoint(scope, webhook);
  /** Whether the changes that were taken last are a probe. */
  let isProbe = false;

  function nextTurn(isIdle: boolean): Turn {
    const now = endpoint.now();
    const { state, secrets } = endpoint.row();
    if (secrets.length === 0) return { waitMs: Infinity };
    const turn = turnAt(state, now, shared);
    if (turn.kind === "none") return { waitMs: turn.until - now };
    // A probe is the only try.
    if (turn.kind === "probe" && !isIdle) return { waitMs: Infinity };
    isProbe = turn.kind === "probe";
    if (turn.kind === "any") return {};
    return { probe: { failedBefore: turn.untriedOnly ? state.downSince : null }, pauseMs: emptyProbePauseMs * pace };
  }

  async function send(change: Change, { signal }: HandlerContext): Promise<void> {
    const asProbe = isProbe;
    const content = contentOf(change);
    const waitsSince = performance.now();
    const leave = await enter(subscriptionId, Buffer.byteLength(content.body), webhookWaitMs);
    if (!leave) throw new NotTried();
    try {
      const row = await readToTry(asProbe);
      // The contact may have been deleted meanwhile, or the URL changed.
      if (performance.now() - waitsSince > webhookWaitMs) throw new NotTried();
      const begunAt = performance.now();
      const result = await attempt(row, content, signal);
      stats.seconds += (performance.now() - begunAt) / 1_000;
      await keep(result, asProbe);
    } finally {
      leave();
    }
  }

  /** Reads the URL and the secrets as they are at the beginning of the try. */
  async function readToTry(asProbe: boolean): Promise<WebhookRow> {
    const row = await endpoint.read();
    if (!row || row.secrets.length === 0) throw new NotTried();
    const turn = turnAt(row.state, row.now, shared);
    if (turn.kind !== (asProbe ? "probe" : "any")) throw new NotTried();
    // One process of those that could probe begins.
    if (asProbe && !(await endpoint.put(probing(row.state, row.now, shared)))) throw new NotTried();
    return row;
  }

  async function attempt({ url, secrets, now }: WebhookRow, content: Content, signal: AbortSignal): Promise<TryResult> {
    try {
      const { status, retryAfter } = await poster.post(url, signed(content, secrets, now), signal);
      return resultOf(status, retryAfter, now);
    } catch (error) {
      if (signal.aborted) throw new NotTried();
      // The poster rejects only with errors that may be shown.
      return { kind: "failed", status: null, error: (error as Error).message };
    }
  }

  async function keep(result: TryResult, asProbe: boolean): Promise<void> {
    const state = await endpoint.change((before, now) => stateAfter(before, result, { now, isProbe: asProbe, pace }));
    if (result.kind === "delivered") stats.delivered++;
    else stats.failed++;
    if (result.kind === "delivered") return;
    if (result.kind !== "failed" || state === null) throw new NotTried();
    throw new TryFailed(result.error, state);
  }

  const consumer = startConsumer({
    scope,
    key,
    concurrency,
    transaction: false,
    untilCaughtUp: false,
    leaseSeconds,
    handlerTimeoutSeconds,
    // A try that is aborted is repeated. A server that is stopped waits less than ten seconds.
    stopWaitMs: stopWaitMs / 2,
    // Only a handler with a transaction gets methods inside it.
    methodsIn: () => {
      throw new TypeError("A message has no transaction.");
    },
    handler: send,
    failureOf({ failures }, error) {
      if (!(error instanceof TryFailed)) return null;
      return contactFailure(failures, error.state, { now: endpoint.now(), random: Math.random(), pace });
    },
    nextTurn,
  });
  const ended = consumer.ended.catch(async (error: unknown) => {
    if (!isTrackerError(error) || error.code !== "changes_expired") return report(error);
    await endpoint.change((state, now) =>
      state.disabledAt === null ? { ...state, ...disabled("changes_expired", now) } : state,
    );
  });
  let hasEnded = false;
  void ended.catch(report).then(() => (hasEnded = true));
  return { endpoint, hasEnded: () => hasEnded, stop: consumer.stop };
}
