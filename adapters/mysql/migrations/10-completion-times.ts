/** `NULL` for what was completed before, and by an earlier version that runs beside this one. */
export const addCompletionTimes = (prefix: string): string =>
  `ALTER TABLE ${prefix}completions ADD COLUMN completed_at BIGINT NULL`;
