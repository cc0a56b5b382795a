/** The migrations of version 0.3.0, by number. */
export const version03: Readonly<Record<number, (prefix: string) => string>> = {
  // An earlier version that still runs deletes definitions without knowing this table, so the key deletes the rows itself.
  29: (prefix) => `CREATE TABLE ${prefix}webhooks (
  subscription_id BINARY(16) NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  CONSTRAINT ${prefix}webhooks_subscription FOREIGN KEY (subscription_id) REFERENCES ${prefix}definitions (id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The secrets that sign the messages of a webhook, until `ends_at`. They are stored in clear: a hash cannot sign.
  30: (prefix) => `CREATE TABLE ${prefix}webhook_secrets (
  subscription_id BINARY(16) NOT NULL,
  id BINARY(16) NOT NULL,
  secret VARBINARY(64) NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at BIGINT NULL,
  PRIMARY KEY (subscription_id, id),
  CONSTRAINT ${prefix}webhook_secrets_webhook FOREIGN KEY (subscription_id) REFERENCES ${prefix}webhooks (subscription_id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // Lets `countActivity` read a day from this index alone. One statement replaces the index under its name, because processes of earlier
  // versions force the index by its name meanwhile.
  31: (prefix) => `ALTER TABLE ${prefix}events
  DROP KEY by_creation, ADD KEY by_creation (workspace, created_at, id, contact_id, event_key)`,
};
