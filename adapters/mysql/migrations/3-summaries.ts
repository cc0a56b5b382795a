/** One row per contact and event key. Behaviour is computed from these rows. */
export const createSummaries = (prefix: string): string => `CREATE TABLE ${prefix}summaries (
  contact_id BINARY(16) NOT NULL,
  event_key VARBINARY(100) NOT NULL,
  workspace VARBINARY(64) NOT NULL,
  event_count BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, event_key),
  CONSTRAINT ${prefix}summaries_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE RESTRICT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
