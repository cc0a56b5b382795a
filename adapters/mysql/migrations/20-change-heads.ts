/** One row: the last position that was given out, in the log of any workspace. Whoever gives out positions locks it. */
export const createChangeHeads = (prefix: string): string => `CREATE TABLE ${prefix}change_heads (
  id TINYINT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
