/** Keys made before, or by an earlier version that still runs, may do what every key could. */
export const addApiKeyAccess = (prefix: string): string => `ALTER TABLE ${prefix}api_keys
  ADD COLUMN access VARBINARY(8) NOT NULL DEFAULT 'write',
  ADD COLUMN requests_per_minute INT UNSIGNED NULL,
  ADD COLUMN expires_at BIGINT NULL`;
