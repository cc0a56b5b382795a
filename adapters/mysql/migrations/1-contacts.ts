/**
 * Columns of unique text are binary: no collation makes two different texts equal, or pads them. The database computes the
 * effective externalId, so that it always matches the row.
 */
export const createContacts = (prefix: string): string => `CREATE TABLE ${prefix}contacts (
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
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
