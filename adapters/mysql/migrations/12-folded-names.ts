/**
 * The two columns as `foldEmail` folds them, byte by byte and so in no collation. The database computes them, also for rows that
 * were there before and for those that an earlier version still writes. Virtual, because that changes no row; `by_email` needs
 * none, because emails are stored folded.
 */
export const addFoldedNames = (prefix: string): string => `ALTER TABLE ${prefix}contacts
  ADD COLUMN folded_external_id VARBINARY(255) GENERATED ALWAYS AS (${folded("external_id")}) VIRTUAL,
  ADD COLUMN folded_name VARBINARY(1000) GENERATED ALWAYS AS (${folded("name")}) VIRTUAL`;

function folded(column: string): string {
  const letters = Array.from({ length: 26 }, (_, index) => 0x41 + index);
  const hex = (letter: number): string => `0x${letter.toString(16)}`;
  return letters.reduce((sql, letter) => `REPLACE(${sql}, ${hex(letter)}, ${hex(letter + 0x20)})`, column);
}
