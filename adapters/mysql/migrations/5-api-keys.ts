export const createApiKeys = (prefix: string): string => `CREATE TABLE ${prefix}api_keys (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  name VARBINARY(1000) NOT NULL,
  prefix VARBINARY(12) NOT NULL,
  hash BINARY(32) NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NULL,
  UNIQUE KEY by_hash (hash),
  KEY by_creation (workspace, created_at, id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
