/** Delivers the messages of all webhooks of a storage, once in a process. */
import { isTrackerError } from "../model/errors.ts";
import { leaseSecondsDefault, webhookLookMs } from "../model/limits.ts";
import type { WebhookStats } from "../model/webhook-types.ts";
import type { Scope } from "../scope.ts";
import type { Storage } from "../storage/port.ts";
import { createBell } from "../work/bell.ts";
import { startDelivery, type Delivery, type Shared } from "./delivery.ts";
import { createPoster } from "./post.ts";
import { createTurns } from "./turns.ts";

/** The messages of a process. */
export interface Deliveries {
  stats(): WebhookStats;
  /** Begins no further try, and resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** The parts of a delivery that tests replace. */
export type Seams = Partial<Pick<Shared, "poster" | "enter" | "pace" | "leaseSeconds">>;

interface Running extends Deliveries {
  users: number;
}

const runningByStorage = new WeakMap<Storage, Running>();

/** The counts of the deliveries of this process; `null` if there are none. */
export function webhookStatsOf(storage: Storage): WebhookStats | null {
  return runningByStorage.get(storage)?.stats() ?? null;
}

/** Delivers until `stop`. Callers with the same storage share the deliveries of the first. `seams` are for tests alone. */
export function deliver(scope: Scope, seams: Seams = {}): Deliveries {
  const running = runningByStorage.get(scope.storage) ?? begin(scope, seams);
  running.users++;
  let isStopped = false;
  return {
    stats: running.stats,
    async stop() {
      if (!isStopped) running.users--;
      isStopped = true;
      if (running.users === 0) await running.stop();
    },
  };
}

function begin(scope: Scope, seams: Seams): Running {
  const { storage, webhookHosts = new Set() } = scope;
  const deliveries = new Map<string, Delivery>();
  /** Those whose webhook was deleted or has another concurrency, until their tries have ended. */
  const ending = new Set<Promise<void>>();
  const bell = createBell({ keepsAlive: false });
  const shared: Shared = {
    poster: createPoster({ allow: webhookHosts }),
    enter: createTurns(),
    stats: { delivered: 0, failed: 0, seconds: 0 },
    pace: 1,
    leaseSeconds: leaseSecondsDefault,
    ...seams,
  };
  let isStopped = false;

  async function look(): Promise<void> {
    const webhooks = await storage.listWebhooks();
    if (isStopped) return;
    // Another `concurrency` needs another delivery.
    const found = new Map(webhooks.map((webhook) => [`${webhook.subscriptionId} ${webhook.concurrency}`, webhook]));
    for (const [id, { hasEnded, stop }] of deliveries) {
      if (found.has(id) && !hasEnded()) continue;
      const ended: Promise<void> = stop().then(() => void ending.delete(ended));
      ending.add(ended);
      deliveries.delete(id);
    }
    for (const [id, webhook] of found) {
      const delivery = deliveries.get(id);
      if (delivery) delivery.endpoint.renew(webhook);
      else deliveries.set(id, startDelivery({ ...scope, workspace: webhook.workspace }, webhook, shared));
    }
  }

  async function run(): Promise<void> {
    while (!isStopped && !scope.closed?.aborted) {
      await look().catch((error: unknown) => {
        if (!isTrackerError(error) || error.code !== "storage_unavailable") scope.report?.(error);
      });
      await bell.rung(webhookLookMs);
    }
  }

  const looking = run();
  const running: Running = {
    users: 0,
    stats() {
      const states = Array.from(deliveries.values(), ({ endpoint }) => endpoint.row().state);
      const down = states.filter(({ downSince, disabledAt }) => downSince !== null && disabledAt === null).length;
      const disabled = states.filter(({ disabledAt }) => disabledAt !== null).length;
      return { ...shared.stats, down, disabled };
    },
    async stop() {
      isStopped = true;
      runningByStorage.delete(storage);
      bell.ring();
      await looking;
      await Promise.all([...ending, ...Array.from(deliveries.values(), ({ stop }) => stop())]);
      shared.poster.close();
    },
  };
  runningByStorage.set(storage, running);
  return running;
}
