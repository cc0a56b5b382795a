/** One row: the salt of the passwords that open the data. */
export const createSalts = (prefix: string): string => `CREATE TABLE ${prefix}salts (
  id TINYINT NOT NULL PRIMARY KEY,
  salt VARBINARY(64) NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
