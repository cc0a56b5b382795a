const digit =
  "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
UNION ALL SELECT 6 UNION ALL SELECT 7)";

/** The migrations of version 0.2.0, by number. */
export const version02: Readonly<Record<number, (prefix: string) => string>> = {
  // Every transaction that writes definitions of a workspace changes its row, so that no two of them commit at once.
  16: (prefix) => `ALTER TABLE ${prefix}workspaces ADD COLUMN definition_writes BIGINT NOT NULL DEFAULT 0`,
  // This version does not read the table. Version 0.2.0 keeps the salt of its dashboard's password in it.
  17: (prefix) => `CREATE TABLE ${prefix}salts (
  id TINYINT NOT NULL PRIMARY KEY,
  salt VARBINARY(64) NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The changes of committed transactions that are not in the log yet: a row for all changes of a transaction, in the order of `id`. A
  // transaction inserts the row while it holds the locks of the contacts, so a later write of a contact has a higher id. `body_bytes`
  // exists because computing the length of `body` would read it.
  18: (prefix) => `CREATE TABLE ${prefix}outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  change_count INT NOT NULL,
  body_bytes INT NOT NULL,
  deleted_id BINARY(16) NULL,
  added_at BIGINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The log of changes. The rows of a workspace are in its order, so inserts append to the end of the workspace.
  19: (prefix) => `CREATE TABLE ${prefix}changes (
  workspace VARBINARY(64) NOT NULL,
  position BIGINT NOT NULL,
  change_id BINARY(16) NOT NULL,
  kind VARBINARY(30) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  event_key VARBINARY(100) NULL,
  changed_at BIGINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (workspace, position),
  KEY by_contact (contact_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // One row: the last position that was given out, in the log of any workspace. Whoever gives out positions locks it.
  20: (prefix) => `CREATE TABLE ${prefix}change_heads (
  id TINYINT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The smallest position that each subscription accepts, by the id of its definition.
  21: (prefix) => `CREATE TABLE ${prefix}subscriptions (
  id BINARY(16) NOT NULL PRIMARY KEY,
  first_position BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The 64 slots of each subscription, which share its changes among consumers. The changes of a slot up to its position were handled,
  // or their contact waits. A slot is leased if it has a token, until a time of the database's clock.
  22: (prefix) => `CREATE TABLE ${prefix}slots (
  subscription_id BINARY(16) NOT NULL,
  slot TINYINT NOT NULL,
  position BIGINT NOT NULL,
  token VARBINARY(64) NULL,
  leased_until BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, slot)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The contacts that wait because a change failed. `error` is NULL if the change at the position has not failed, and `due_at` if the
  // contact is parked. `by_due` serves the contacts whose pause is over, of some slots, and the list of those that are parked.
  23: (prefix) => `CREATE TABLE ${prefix}waiting (
  subscription_id BINARY(16) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  slot TINYINT NOT NULL,
  position BIGINT NOT NULL,
  change_id BINARY(16) NOT NULL,
  failures INT NOT NULL,
  error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  due_at BIGINT NULL,
  failed_at BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, contact_id),
  KEY by_due (subscription_id, due_at, failed_at, change_id, slot),
  KEY by_contact (contact_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // Inserts 64 slots for each subscription that is older than slots. They begin where the subscription begins.
  24: (prefix) => `INSERT IGNORE INTO ${prefix}slots (subscription_id, slot, position, token, leased_until)
SELECT s.id, high.n * 8 + low.n, s.first_position, NULL, 0 FROM ${prefix}subscriptions s JOIN ${digit} high JOIN ${digit} low`,
  // The audiences that subscriptions name. The first pass of a watch has reached the contacts up to `position`. A watch that has ended
  // stays until its memberships are removed.
  25: (prefix) => `CREATE TABLE ${prefix}watches (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  audience_key VARBINARY(100) NOT NULL,
  clock BIGINT NOT NULL,
  position BINARY(16) NULL,
  ready_at BIGINT NULL,
  swept_at BIGINT NOT NULL,
  has_ended TINYINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY by_workspace (workspace, has_ended)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // The members of watched audiences, as they were last evaluated.
  26: (prefix) => `CREATE TABLE ${prefix}memberships (
  watch_id BINARY(16) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  PRIMARY KEY (watch_id, contact_id),
  KEY by_contact (contact_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // An earlier version that still runs deletes contacts without knowing this table, so the key deletes the rows itself.
  27: (prefix) => `CREATE TABLE ${prefix}dismissals (
  contact_id BINARY(16) NOT NULL,
  checklist_id BINARY(16) NOT NULL,
  dismissed_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, checklist_id),
  CONSTRAINT ${prefix}dismissals_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // `deleted_at` is set while the workspace is being deleted. The row is removed last.
  28: (prefix) => `ALTER TABLE ${prefix}workspaces ADD COLUMN deleted_at BIGINT NULL`,
};
