/** A secret that signs the messages of a webhook. The secret itself is shown once, by `createSecret`. */
export interface WebhookSecret {
  id: string;
  /** ISO 8601, by the storage's clock, as all times of webhooks. */
  createdAt: string;
  /** From when on it no longer signs; `null` for the newest. */
  endsAt: string | null;
}

/** Why a webhook is disabled: it answered 410, it was down for days, or changes that it did not get are no longer kept. */
export type DisabledReason = "gone" | "down_too_long" | "changes_expired";

/** The result of `subscriptions.webhook`: how the messages of a webhook get on. */
export interface WebhookStatus {
  /** The URL without path and query, which may hold secrets. */
  origin: string;
  /** `no_secret`: nothing is sent. `paused`: the endpoint asked for it. `down`: it is probed, until a success. `disabled`: nothing is sent until `enable`. */
  state: "delivering" | "no_secret" | "paused" | "down" | "disabled";
  /** The newest first. */
  secrets: WebhookSecret[];
  lastTryAt: string | null;
  /** The status of the last try; `null` if there was no answer. Successes are stored once a minute. */
  lastStatus: number | null;
  /** Why the last try failed; `null` if it did not. */
  lastError: string | null;
  lastSuccessAt: string | null;
  pausedUntil: string | null;
  downSince: string | null;
  nextProbeAt: string | null;
  disabledAt: string | null;
  disabledReason: DisabledReason | null;
}

/** The result of `subscriptions.sendTest`. */
export interface WebhookTest {
  delivered: boolean;
  /** `null` without an answer. */
  status: number | null;
  /** `null` if the message was delivered. */
  error: string | null;
}

/** The messages of one process, since it began, and the webhooks that it has found at its last look. */
export interface WebhookStats {
  delivered: number;
  failed: number;
  /** The time of all tries. */
  seconds: number;
  down: number;
  disabled: number;
}
