import type { KeyOf } from "../model/typed.ts";
import type { Definitions } from "../model/types.ts";
import type { WebhookSecret, WebhookStatus, WebhookTest } from "../model/webhook-types.ts";

/** The methods for subscriptions with a `url`. Others are refused with `definition_not_found`. */
export interface WebhookMethods<Defined extends Definitions> {
  /** How the messages of the webhook get on. `definition_not_found`. */
  webhook(key: KeyOf<"subscriptions", Defined>): Promise<WebhookStatus>;
  /** The secrets that sign, without the secrets themselves; the newest first. `definition_not_found`. */
  secrets(key: KeyOf<"subscriptions", Defined>): Promise<WebhookSecret[]>;
  /**
   * Creates a secret that signs from now on. No later call can show it. An older one signs for 24 hours more. Without a secret nothing
   * is sent. `definition_not_found`; `secrets_taken` if two sign already.
   * @example const { secret } = await tracker.subscriptions.createSecret("partner"); // whsec_…
   */
  createSecret(key: KeyOf<"subscriptions", Defined>): Promise<WebhookSecret & { secret: string }>;
  /** Deletes the secret. The one that is left signs without an end. `definition_not_found`, `secret_not_found`. */
  deleteSecret(key: KeyOf<"subscriptions", Defined>, id: string): Promise<void>;
  /**
   * Lets the messages go on at once where they were, after the webhook was disabled or down. `definition_not_found`;
   * `changes_expired` if some of the next changes are no longer kept: `resume` goes on without them.
   */
  enable(key: KeyOf<"subscriptions", Defined>): Promise<void>;
  /** Sends a signed message of the type `webhook.test` from this process. The result changes nothing. `definition_not_found`. */
  sendTest(key: KeyOf<"subscriptions", Defined>): Promise<WebhookTest>;
}
