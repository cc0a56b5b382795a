import type { WebhookStats } from "../model/webhook-types.ts";
import type { Scope } from "../scope.ts";
import { runWork, type Work as Logging } from "../work/index.ts";
import { deliver } from "./deliveries.ts";

/** The work that `tracker.work()` has begun. */
export interface Work extends Logging {
  /** Lets no further step and no further message begin, and resolves when those that run have ended. */
  stop(): Promise<void>;
  /** Counts the messages of webhooks that this process has sent. */
  webhooks(): WebhookStats;
}

/** Begins the work, and the messages of webhooks. With `{ until: "caught-up" }` works until nothing waits, and sends no message. */
export function work(scope: Scope, input: unknown): Work | ReturnType<typeof runWork> {
  const logging = runWork(scope, input);
  if (logging instanceof Promise) return logging;
  const deliveries = deliver(scope);
  const begun: Work = {
    webhooks: deliveries.stats,
    async stop() {
      scope.running?.delete(begun);
      await Promise.all([logging.stop(), deliveries.stop()]);
    },
  };
  scope.running?.add(begun);
  return begun;
}
