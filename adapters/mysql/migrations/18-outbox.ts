/**
 * The changes of committed writes that are not in the log yet, in the order of `id`. A write inserts its changes while it holds the
 * locks of their contacts, so a later write of a contact has higher ids.
 */
export const createOutbox = (prefix: string): string => `CREATE TABLE ${prefix}outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  change_id BINARY(16) NOT NULL,
  kind VARBINARY(30) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  event_key VARBINARY(100) NULL,
  changed_at BIGINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
