import { isFunctionOrObject } from "../model/arguments.ts";
import { TrackerError } from "../model/errors.ts";
import { pageLimitMax } from "../model/limits.ts";
import type { Page, PageRequest } from "../model/types.ts";

/** Resolves with a page of a list. The order of the list must be one that no write changes. */
type ListPage<Item> = (request: PageRequest) => Promise<Page<Item>>;

/**
 * Yields the items of the page that `readRequest` returns, and of the pages after it. Pages have the largest size unless the
 * request has a limit. Reads the request with the first `next`, and a page when the items before it are used up.
 */
export async function* eachItem<Item>(
  list: ListPage<Item>,
  readRequest: () => PageRequest,
): AsyncGenerator<Item, void, undefined> {
  const { limit: limitMax = pageLimitMax, ...request } = readRequest();
  let { cursor } = request;
  let limit = limitMax;
  for (;;) {
    const { items, nextCursor } = await list({ ...request, limit, cursor });
    yield* items;
    if (nextCursor === null) return;
    cursor = nextCursor;
    // If large rows ended this page early, a full limit would make the storage read many rows in vain.
    limit = Math.min(2 * items.length || limitMax, limitMax);
  }
}

/** Whether `events.each` was called with a page of all contacts. Throws a `TypeError` if a second page follows. */
export function isPageOfAll(chosen: unknown, page: unknown): boolean {
  if (typeof chosen !== "object" || chosen === null) return false;
  if (isFunctionOrObject(page)) throw new TypeError("each: argument 2 is one too many");
  return true;
}

/**
 * Yields the events of the contact that `list` finds on the first page. Throws `contact_not_found` if a later page belongs to
 * another contact, or if no contact has the identifier any more. `findContact` finds the contact with the identifier.
 */
export function eachEventOf<Event extends { contactId: string }>(
  list: ListPage<Event>,
  findContact: () => Promise<{ id: string } | null>,
  readRequest: () => PageRequest,
): AsyncGenerator<Event, void, undefined> {
  let contactId: string | undefined;
  const listOfSame: ListPage<Event> = async (request) => {
    const page = await list(request);
    const [first] = page.items;
    // An empty later page names no contact: its events were removed, or another contact without events has the identifier.
    const found = first || contactId === undefined ? first?.contactId : (await findContact())?.id;
    contactId ??= found;
    if (found !== contactId) throw new TrackerError("contact_not_found");
    return page;
  };
  return eachItem(listOfSame, readRequest);
}
