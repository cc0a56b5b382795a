/**
 * The part of the storage port for webhooks: the subscriptions with a `url`. Their changes are taken with `takeChanges`. The
 * storage contract has a test for every sentence.
 *
 * - A webhook begins with the definition of its subscription, in the state `newWebhook` and without secrets. A changed `url`
 *   begins with this state again, and keeps the secrets.
 * - A webhook is deleted with its subscription, together with its secrets.
 */
import type { DisabledReason } from "../model/webhook-types.ts";
import type { Refused } from "./results.ts";

/** The methods for webhooks. */
export interface WebhookStorage {
  /**
   * The webhooks of all workspaces, in order of `createdAt` of their subscriptions, then id. Leaves out those of workspaces that are
   * being deleted.
   */
  listWebhooks(): Promise<WebhookRow[]>;

  /** The webhook of the subscription with this id, as it is stored now; `null` if `listWebhooks` would leave it out. */
  findWebhook(workspace: string, subscriptionId: string): Promise<WebhookRow | null>;

  /**
   * Replaces the state of the webhook, if it still has this version, and gives it another version. Resolves with `false`, and
   * changes nothing, if it has another one, or is deleted.
   */
  putWebhookState(workspace: string, subscriptionId: string, version: number, state: WebhookState): Promise<boolean>;

  /**
   * Adds a secret (`addSecret`), by the storage's clock. Resolves with the stored one. Refusals: `definition_not_found`, also for
   * a subscription without a `url`; `secrets_taken`.
   */
  insertSecret(workspace: string, key: string, draft: Pick<SecretRow, "id" | "secret">): Promise<SecretRow | Refused>;

  /**
   * Deletes the secret. The one that is left signs without an end. Resolves with `false` if the webhook has no such secret.
   * Refusal: as of `insertSecret`.
   */
  deleteSecret(workspace: string, key: string, id: string): Promise<boolean | Refused>;
}

/** A secret that signs. */
export interface SecretRow {
  id: string;
  /** `whsec_`, then 32 bytes in base64. */
  secret: string;
  createdAt: number;
  /** The time from which it no longer signs, by the storage's clock; `null` without an end. */
  endsAt: number | null;
}

/** A webhook as it is stored now. */
export interface WebhookRow {
  workspace: string;
  key: string;
  subscriptionId: string;
  url: string;
  concurrency: number;
  state: WebhookState;
  version: number;
  /** Those that sign now: the newest first, at most two. */
  secrets: SecretRow[];
  /** The storage's clock at the read. */
  now: number;
}

/** The state of an endpoint, by the storage's clock. Tries that succeed change it after a failure, or once a minute. */
export interface WebhookState {
  /** The failures since the last success. */
  failures: number;
  firstFailureAt: number | null;
  lastSuccessAt: number | null;
  lastTryAt: number | null;
  /** The status of the last try that is stored; `null` if there was no answer. */
  lastStatus: number | null;
  /** Why the last stored try failed, in words that may be shown; `null` if it did not. */
  lastError: string | null;
  /** The endpoint asked to be left alone until then. */
  pausedUntil: number;
  downSince: number | null;
  /** The probes at the pauses since it went down. */
  probes: number;
  nextProbeAt: number;
  disabledAt: number | null;
  disabledReason: DisabledReason | null;
}
