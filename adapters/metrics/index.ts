import type { HealthMethods } from "../../lib/health.ts";
import { metricsWith } from "./text.ts";

/**
 * Resolves with the metrics of a mounted tracker in the Prometheus text format, version 0.0.4: those of its MySQL storage, and of the
 * webhooks that this process sends. Leaves out counts that the database does not give within 2 s. On memory there are only webhooks.
 * Rejects with a `TypeError` unless `createTracker` made the argument.
 * @example app.get("/metrics", async (_, response) => response.type("text/plain").send(await metrics(tracker)));
 */
export function metrics(tracker: HealthMethods): Promise<string> {
  return metricsWith(tracker, {});
}
