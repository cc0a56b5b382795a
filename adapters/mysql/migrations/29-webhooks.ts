/** An earlier version that still runs deletes definitions without knowing this table, so the key deletes the rows itself. */
export const createWebhooks = (prefix: string): string => `CREATE TABLE ${prefix}webhooks (
  subscription_id BINARY(16) NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  CONSTRAINT ${prefix}webhooks_subscription FOREIGN KEY (subscription_id) REFERENCES ${prefix}definitions (id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
