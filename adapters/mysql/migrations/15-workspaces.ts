/** One row per workspace whose events are not kept for ever. */
export const createWorkspaces = (prefix: string): string => `CREATE TABLE ${prefix}workspaces (
  workspace VARBINARY(64) NOT NULL PRIMARY KEY,
  pruned_before BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
