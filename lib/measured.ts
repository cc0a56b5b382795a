import type { WebhookStats } from "./model/webhook-types.ts";
import type { Storage } from "./storage/port.ts";

/** The property of a tracker with its counts, for `metrics`. Every copy of the package has the same symbol. */
export const measuredSymbol: unique symbol = Symbol.for("whodid.measured");

export interface WithMeasured {
  [measuredSymbol]: () => Measured;
}

interface Measured {
  storage: Storage;
  /** `null` if this process sends no messages. */
  webhooks: WebhookStats | null;
}
