/**
 * A rule about one event key reads one range of the table, in order of contact id. A page stops early, and a count reads no
 * other keys. No index contains the columns that an event changes, so an event changes the table alone.
 */
export const orderSummariesByEvent = (prefix: string): string => `ALTER TABLE ${prefix}summaries
  ADD KEY by_contact (contact_id, event_key), DROP PRIMARY KEY, ADD PRIMARY KEY (workspace, event_key, contact_id)`;
