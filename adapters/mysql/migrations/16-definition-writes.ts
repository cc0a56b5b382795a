/** Every transaction that writes definitions of a workspace changes its row, so that no two of them commit at once. */
export const countDefinitionWrites = (prefix: string): string =>
  `ALTER TABLE ${prefix}workspaces ADD COLUMN definition_writes BIGINT NOT NULL DEFAULT 0`;
