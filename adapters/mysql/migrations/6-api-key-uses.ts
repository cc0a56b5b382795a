/** A table of its own, so that finding a key does not read the row that every request writes. */
export const createApiKeyUses = (prefix: string): string => `CREATE TABLE ${prefix}api_key_uses (
  api_key_id BINARY(16) NOT NULL PRIMARY KEY,
  window_starts_at BIGINT NOT NULL,
  used BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
