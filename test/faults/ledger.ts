/** An event that a client was answered 201 for. */
export interface AcknowledgedEvent {
  /** Also a property of it. */
  idempotencyKey: string;
  id: string;
  contactId: string;
  eventKey: string;
  createdAt: string;
}

/** A post of a contact that a client was answered 200 or 201 for. */
export interface AcknowledgedContact {
  email: string;
  id: string;
  created: boolean;
  /** How often it was sent until then. */
  tries: number;
}

/** What clients know when all they sent was acknowledged: what the database is held to. */
export interface Ledger {
  events: AcknowledgedEvent[];
  contacts: AcknowledgedContact[];
  /** How often each status was seen, by what was asked: `events 201`. A lost connection is no status. */
  statuses: Record<string, number>;
  /** What was answered that never may be. */
  complaints: string[];
}

export function createLedger(): Ledger {
  return { events: [], contacts: [], statuses: {}, complaints: [] };
}

export function mergeLedgers(ledgers: readonly Ledger[]): Ledger {
  const merged = createLedger();
  for (const { events, contacts, statuses, complaints } of ledgers) {
    merged.events = merged.events.concat(events);
    merged.contacts = merged.contacts.concat(contacts);
    merged.complaints = merged.complaints.concat(complaints);
    for (const [name, count] of Object.entries(statuses)) merged.statuses[name] = countOf(merged, name) + count;
  }
  return merged;
}

/** How often the status was seen. */
export function countOf({ statuses }: Ledger, name: string): number {
  return statuses[name] ?? 0;
}
