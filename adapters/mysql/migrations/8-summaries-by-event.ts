/**
 * A rule about one event key is answered from this index alone, in order of contact id: a page stops at its end, and a count
 * reads nothing of other keys.
 */
export const indexSummariesByEvent = (prefix: string): string => `ALTER TABLE ${prefix}summaries
  ADD KEY by_event (workspace, event_key, contact_id, event_count, first_at, last_at)`;
