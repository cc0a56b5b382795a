import type { Statement } from "./statement.ts";

export const findSalt: Statement = ({ salts }) => ({
  name: "findSalt",
  sql: `SELECT salt FROM ${salts} WHERE id = 1`,
  values: [],
});

/** Leaves the salt of another process as it is. */
export const insertSalt =
  (salt: string): Statement =>
  ({ salts }) => ({
    name: "insertSalt",
    sql: `INSERT INTO ${salts} (id, salt) VALUES (1, CAST(? AS BINARY)) ON DUPLICATE KEY UPDATE salt = ${salts}.salt`,
    values: [salt],
    mayChangeNothing: true,
  });
