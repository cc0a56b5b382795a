/** Completions by hand. Completions by events are computed from the summaries, and stored with the event for its replay. */
export const createCompletions = (prefix: string): string => `CREATE TABLE ${prefix}completions (
  contact_id BINARY(16) NOT NULL,
  checklist_id BINARY(16) NOT NULL,
  item_key VARBINARY(100) NOT NULL,
  PRIMARY KEY (contact_id, checklist_id, item_key),
  CONSTRAINT ${prefix}completions_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE RESTRICT
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
