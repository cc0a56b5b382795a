/** The secrets that sign the messages of a webhook, until `ends_at`. They are stored in clear: a hash cannot sign. */
export const createWebhookSecrets = (prefix: string): string => `CREATE TABLE ${prefix}webhook_secrets (
  subscription_id BINARY(16) NOT NULL,
  id BINARY(16) NOT NULL,
  secret VARBINARY(64) NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at BIGINT NULL,
  PRIMARY KEY (subscription_id, id),
  CONSTRAINT ${prefix}webhook_secrets_webhook FOREIGN KEY (subscription_id) REFERENCES ${prefix}webhooks (subscription_id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
