/**
 * Ids grow with time, so inserts append to the table. `by_contact` serves both lists of a contact: all events in order, and
 * those of one key without reading other events. A second index would double the random writes of each insert.
 */
export const createEvents = (prefix: string): string => `CREATE TABLE ${prefix}events (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  event_key VARBINARY(100) NOT NULL,
  properties MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  created_at BIGINT NOT NULL,
  idempotency_hash BINARY(32) NULL,
  fingerprint BINARY(32) NULL,
  completed_items MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  UNIQUE KEY by_idempotency (workspace, idempotency_hash),
  KEY by_contact (contact_id, created_at, id, event_key),
  CONSTRAINT ${prefix}events_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE RESTRICT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
