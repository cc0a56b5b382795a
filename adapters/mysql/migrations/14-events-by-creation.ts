/** Serves the list of the latest events of all contacts. New events are inserted near the end of the index, as in the table. */
export const indexEventsByCreation = (prefix: string): string =>
  `ALTER TABLE ${prefix}events ADD KEY by_creation (workspace, created_at, id)`;
