/** For rules that match contacts without events: scans the ids of a workspace in order, without reading the contacts. */
export const indexContactsById = (prefix: string): string =>
  `ALTER TABLE ${prefix}contacts ADD KEY by_id (workspace, id)`;
