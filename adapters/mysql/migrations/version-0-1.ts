/** The migrations of version 0.1.0, by number. */
export const version01: Readonly<Record<number, (prefix: string) => string>> = {
  // Columns of unique text are binary: no collation makes two different texts equal, or pads them. The database computes the
  // effective externalId, so that it always matches the row.
  1: (prefix) => `CREATE TABLE ${prefix}contacts (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  email VARBINARY(254) NOT NULL,
  external_id VARBINARY(255) NULL,
  effective_external_id VARBINARY(255) GENERATED ALWAYS AS (COALESCE(external_id, email)) STORED,
  name VARBINARY(1000) NULL,
  phone VARBINARY(1000) NULL,
  avatar_url VARBINARY(2048) NULL,
  role VARBINARY(1000) NULL,
  plan VARBINARY(1000) NULL,
  signed_up_at BIGINT NULL,
  attributes MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE KEY by_email (workspace, email),
  UNIQUE KEY by_external_id (workspace, effective_external_id),
  KEY by_creation (workspace, created_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // Ids grow with time, so inserts append to the table. `by_contact` serves both lists of a contact: all events in order, and
  // those of one key without reading other events. A second index would double the random writes of each insert.
  2: (prefix) => `CREATE TABLE ${prefix}events (
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
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // One row per contact and event key. Behaviour is computed from these rows.
  3: (prefix) => `CREATE TABLE ${prefix}summaries (
  contact_id BINARY(16) NOT NULL,
  event_key VARBINARY(100) NOT NULL,
  workspace VARBINARY(64) NOT NULL,
  event_count BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, event_key),
  CONSTRAINT ${prefix}summaries_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE RESTRICT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  4: (prefix) => `CREATE TABLE ${prefix}definitions (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  kind VARBINARY(20) NOT NULL,
  definition_key VARBINARY(100) NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE KEY by_key (workspace, kind, definition_key)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  5: (prefix) => `CREATE TABLE ${prefix}api_keys (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  name VARBINARY(1000) NOT NULL,
  prefix VARBINARY(12) NOT NULL,
  hash BINARY(32) NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NULL,
  UNIQUE KEY by_hash (hash),
  KEY by_creation (workspace, created_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // A table of its own, so that finding a key does not read the row that every request writes.
  6: (prefix) => `CREATE TABLE ${prefix}api_key_uses (
  api_key_id BINARY(16) NOT NULL PRIMARY KEY,
  window_starts_at BIGINT NOT NULL,
  used BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // Completions by hand. Completions by events are computed from the summaries, and stored with the event for its replay.
  7: (prefix) => `CREATE TABLE ${prefix}completions (
  contact_id BINARY(16) NOT NULL,
  checklist_id BINARY(16) NOT NULL,
  item_key VARBINARY(100) NOT NULL,
  PRIMARY KEY (contact_id, checklist_id, item_key),
  CONSTRAINT ${prefix}completions_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE RESTRICT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  // A rule about one event key reads one range of the table, in order of contact id. A page stops early, and a count reads no
  // other keys. No index contains the columns that an event changes, so an event changes the table alone.
  8: (prefix) => `ALTER TABLE ${prefix}summaries
  ADD KEY by_contact (contact_id, event_key), DROP PRIMARY KEY, ADD PRIMARY KEY (workspace, event_key, contact_id)`,
  // Lets rules that match contacts without events scan the ids of a workspace in order, without reading the contacts.
  9: (prefix) => `ALTER TABLE ${prefix}contacts ADD KEY by_id (workspace, id)`,
  // `NULL` for items that were completed before this migration, or by an earlier version that still runs.
  10: (prefix) => `ALTER TABLE ${prefix}completions ADD COLUMN completed_at BIGINT NULL`,
  // Earlier versions do not write these columns. Their keys, even new ones, keep the access that every key had.
  11: (prefix) => `ALTER TABLE ${prefix}api_keys
  ADD COLUMN access VARBINARY(8) NOT NULL DEFAULT 'write',
  ADD COLUMN requests_per_minute INT UNSIGNED NULL,
  ADD COLUMN expires_at BIGINT NULL`,
  // The externalId and the name as `foldEmail` folds an email, byte by byte and without a collation. The database computes them for
  // every row, also for rows of an earlier version. They are virtual, because that changes no row. Emails are stored
  // folded, so `by_email` needs no such column.
  12: (prefix) => `ALTER TABLE ${prefix}contacts
  ADD COLUMN folded_external_id VARBINARY(255) GENERATED ALWAYS AS (${folded("external_id")}) VIRTUAL,
  ADD COLUMN folded_name VARBINARY(1000) GENERATED ALWAYS AS (${folded("name")}) VIRTUAL`,
  // A query reads one range of each of these indexes.
  13: (prefix) => `ALTER TABLE ${prefix}contacts
  ADD KEY by_folded_external_id (workspace, folded_external_id), ADD KEY by_folded_name (workspace, folded_name)`,
  // Serves the list of the latest events of all contacts. New events are inserted near the end of the index, as in the table.
  14: (prefix) => `ALTER TABLE ${prefix}events ADD KEY by_creation (workspace, created_at, id)`,
  // One row per workspace whose events are not kept for ever.
  15: (prefix) => `CREATE TABLE ${prefix}workspaces (
  workspace VARBINARY(64) NOT NULL PRIMARY KEY,
  pruned_before BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
};

function folded(column: string): string {
  const letters = Array.from({ length: 26 }, (_, index) => 0x41 + index);
  const hex = (letter: number): string => `0x${letter.toString(16)}`;
  return letters.reduce((sql, letter) => `REPLACE(${sql}, ${hex(letter)}, ${hex(letter + 0x20)})`, column);
}
