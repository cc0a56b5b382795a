/**
 * A rule about one event key is answered from one range of the table, in order of contact id: a page stops at its end, and a
 * count reads nothing of other keys. No index holds what an event changes, so that it is changed in one place.
 */
export const orderSummariesByEvent = (prefix: string): string => `ALTER TABLE ${prefix}summaries
  ADD KEY by_contact (contact_id, event_key), DROP PRIMARY KEY, ADD PRIMARY KEY (workspace, event_key, contact_id)`;
