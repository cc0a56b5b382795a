/** This version does not read the table. Version 0.2.0 keeps the salt of its dashboard's password in it. */
export const createSalts = (prefix: string): string => `CREATE TABLE ${prefix}salts (
  id TINYINT NOT NULL PRIMARY KEY,
  salt VARBINARY(64) NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
