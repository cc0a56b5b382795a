import type { Methods } from "../../../../../lib/client/methods.ts";
import { pageLimitMax } from "../../../../../lib/model/limits.ts";

/** Loading more events would take too long. */
const eventsMax = 2_000;

/** When a contact's newest events happened. */
export interface History {
  events: { eventKey: string; at: number }[];
  /** `false` if there are older events. */
  isWhole: boolean;
}

export async function loadHistory(methods: Methods, externalId: string): Promise<History> {
  const events: History["events"] = [];
  let cursor: string | undefined;
  do {
    const page = await methods.events.list(externalId, { limit: pageLimitMax, cursor });
    for (const { eventKey, createdAt } of page.items) events.push({ eventKey, at: Date.parse(createdAt) });
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && events.length < eventsMax);
  return { events, isWhole: cursor === undefined };
}
