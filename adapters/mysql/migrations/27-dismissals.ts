/** An earlier version that still runs deletes contacts without knowing this table, so the key deletes the rows itself. */
export const createDismissals = (prefix: string): string => `CREATE TABLE ${prefix}dismissals (
  contact_id BINARY(16) NOT NULL,
  checklist_id BINARY(16) NOT NULL,
  dismissed_at BIGINT NOT NULL,
  PRIMARY KEY (contact_id, checklist_id),
  CONSTRAINT ${prefix}dismissals_contact FOREIGN KEY (contact_id) REFERENCES ${prefix}contacts (id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
