/** Lets rules that match contacts without events scan the ids of a workspace in order, without reading the contacts. */
export const indexContactsById = (prefix: string): string =>
  `ALTER TABLE ${prefix}contacts ADD KEY by_id (workspace, id)`;
