/**
 * The audiences that subscriptions name. The first pass of a watch has reached the contacts up to `position`. A watch that has ended
 * stays until its memberships are removed.
 */
export const createWatches = (prefix: string): string => `CREATE TABLE ${prefix}watches (
  id BINARY(16) NOT NULL PRIMARY KEY,
  workspace VARBINARY(64) NOT NULL,
  audience_key VARBINARY(100) NOT NULL,
  clock BIGINT NOT NULL,
  position BINARY(16) NULL,
  ready_at BIGINT NULL,
  swept_at BIGINT NOT NULL,
  has_ended TINYINT NOT NULL,
  body MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  KEY by_workspace (workspace, has_ended)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
