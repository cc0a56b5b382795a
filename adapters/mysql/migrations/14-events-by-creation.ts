/** For the last events of all contacts. Events are inserted near its end, as they are in the table. */
export const indexEventsByCreation = (prefix: string): string =>
  `ALTER TABLE ${prefix}events ADD KEY by_creation (workspace, created_at, id)`;
