/** A query reads one range of each of these indexes. */
export const indexFoldedNames = (prefix: string): string => `ALTER TABLE ${prefix}contacts
  ADD KEY by_folded_external_id (workspace, folded_external_id), ADD KEY by_folded_name (workspace, folded_name)`;
