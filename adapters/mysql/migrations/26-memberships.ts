/** The members of watched audiences, as they were last evaluated. */
export const createMemberships = (prefix: string): string => `CREATE TABLE ${prefix}memberships (
  watch_id BINARY(16) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  PRIMARY KEY (watch_id, contact_id),
  KEY by_contact (contact_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
