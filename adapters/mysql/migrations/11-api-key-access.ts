/** Earlier versions do not write these columns. Their keys, even new ones, keep the access that every key had. */
export const addApiKeyAccess = (prefix: string): string => `ALTER TABLE ${prefix}api_keys
  ADD COLUMN access VARBINARY(8) NOT NULL DEFAULT 'write',
  ADD COLUMN requests_per_minute INT UNSIGNED NULL,
  ADD COLUMN expires_at BIGINT NULL`;
