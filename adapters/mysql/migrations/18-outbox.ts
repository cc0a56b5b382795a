/**
 * The changes of committed transactions that are not in the log yet: a row for all changes of a transaction, in the order of `id`. A
 * transaction inserts the row while it holds the locks of the contacts, so a later write of a contact has a higher id. `body_bytes`
 * exists because computing the length of `body` would read it.
 */
export const createOutbox = (prefix: string): string => `CREATE TABLE ${prefix}outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  change_count INT NOT NULL,
  body_bytes INT NOT NULL,
  deleted_id BINARY(16) NULL,
  added_at BIGINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
