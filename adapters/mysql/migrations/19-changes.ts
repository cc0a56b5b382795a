/** The log of changes. The rows of a workspace are in its order, so inserts append to the end of the workspace. */
export const createChanges = (prefix: string): string => `CREATE TABLE ${prefix}changes (
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
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
