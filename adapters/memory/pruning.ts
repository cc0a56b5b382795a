import { firstIdAt } from "../../lib/model/ids.ts";
import type { PruneRequest, PruneStep } from "../../lib/storage/rows.ts";
import { compare } from "./order.ts";
import type { View } from "./view.ts";
import { Locked } from "./locks.ts";

const eventsPerStep = 200;

export function pruneEvents(view: View, workspace: string, request: PruneRequest): PruneStep {
  const { before, recordedBefore, after, dryRun } = request;
  const tables = view.tables(workspace);
  const beforeId = firstIdAt(recordedBefore);
  const found = Array.from(tables.contacts.values(), (record) => record.events)
    .flat()
    .filter((event) => event.createdAt < before && event.id < beforeId && (!after || compare(event, after) > 0))
    .sort(compare);
  if (dryRun) return { pruned: found.length, held: false, next: null };
  const events = found.slice(0, eventsPerStep);
  const free = events.filter(({ contactId }) => isFree(view, workspace, contactId));
  for (const event of free) {
    const { events: all } = tables.edit(event.contactId);
    all.splice(all.indexOf(event), 1);
    if (event.idempotencyHash !== null) tables.keyedEvents.delete(event.idempotencyHash);
  }
  const last = events.length < eventsPerStep ? undefined : events.at(-1);
  const next = last ? { createdAt: last.createdAt, id: last.id } : null;
  return { pruned: free.length, held: free.length < events.length, next };
}

function isFree(view: View, workspace: string, contactId: string): boolean {
  try {
    view.claim(workspace, () => [contactId]);
    return true;
  } catch (error) {
    if (error instanceof Locked) return false;
    throw error;
  }
}
