/**
 * The externalId and the name as `foldEmail` folds an email, byte by byte and without a collation. The database computes them for
 * every row, also for rows of an earlier version. They are virtual, because that changes no row. Emails are stored
 * folded, so `by_email` needs no such column.
 */
export const addFoldedNames = (prefix: string): string => `ALTER TABLE ${prefix}contacts
  ADD COLUMN folded_external_id VARBINARY(255) GENERATED ALWAYS AS (${folded("external_id")}) VIRTUAL,
  ADD COLUMN folded_name VARBINARY(1000) GENERATED ALWAYS AS (${folded("name")}) VIRTUAL`;

function folded(column: string): string {
  const letters = Array.from({ length: 26 }, (_, index) => 0x41 + index);
  const hex = (letter: number): string => `0x${letter.toString(16)}`;
  return letters.reduce((sql, letter) => `REPLACE(${sql}, ${hex(letter)}, ${hex(letter + 0x20)})`, column);
}
