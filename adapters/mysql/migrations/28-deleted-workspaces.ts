/** `deleted_at` is set while the workspace is being deleted. The row is removed last. */
export const markDeletedWorkspaces = (prefix: string): string =>
  `ALTER TABLE ${prefix}workspaces ADD COLUMN deleted_at BIGINT NULL`;
