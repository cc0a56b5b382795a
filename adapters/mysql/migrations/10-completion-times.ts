/** `NULL` for items that were completed before this migration, or by an earlier version that still runs. */
export const addCompletionTimes = (prefix: string): string =>
  `ALTER TABLE ${prefix}completions ADD COLUMN completed_at BIGINT NULL`;
