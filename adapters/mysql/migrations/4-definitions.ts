export const createDefinitions = (prefix: string): string => `CREATE TABLE ${prefix}definitions (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  kind VARBINARY(20) NOT NULL,
  definition_key VARBINARY(100) NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE KEY by_key (workspace, kind, definition_key)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
