import type { EventTypeDefinition, EventTypeUsage } from "../model/declarations.ts";
import { isOfThePast, refusalOfEvent } from "../decisions/event-types.ts";
import { define, listDefinitions, toDefinition, type DraftOf, type ListOptions } from "./index.ts";
import type { Scope } from "../scope.ts";
import type { EventDraft, EventUsage } from "../storage/rows.ts";
import { formatTime } from "../model/times.ts";
import type { Page } from "../model/types.ts";
import { decodeKeyCursor, encodeKeyCursor, keyPageRequestStruct } from "../input/pages.ts";
import { pageLimitDefault, pageMaxBytes } from "../model/limits.ts";
import { parse } from "../input/shapes.ts";
import { eventTypeDefinitionStruct } from "../input/definition-structs.ts";

export async function defineEventType(scope: Scope, input: unknown): Promise<EventTypeDefinition> {
  return toDefinition(await define<"event">(scope, eventTypeDraft(parse(input, eventTypeDefinitionStruct))));
}

export function eventTypeDraft({ key, name = null, properties }: EventTypeDefinition): DraftOf<"event"> {
  return { kind: "event", key, body: { name, ...(properties && { properties }) } };
}

export async function listEventTypes(scope: Scope): Promise<EventTypeDefinition[]> {
  return (await listDefinitions(scope, "event")).map(toDefinition);
}

export async function eventTypeUsage(scope: Scope, page: unknown = {}): Promise<Page<EventTypeUsage>> {
  const { limit = pageLimitDefault, cursor } = parse(page, keyPageRequestStruct);
  const after = cursor === undefined ? null : decodeKeyCursor(cursor);
  const { storage, workspace } = scope;
  const { rows, more } = await storage.listEventUsage(workspace, after, { limit, maxBytes: pageMaxBytes });
  const defined = (await listDefinitions(scope, "event")).map(({ key }) => key);
  const done = new Map(rows.map((row) => [row.eventKey, row]));
  const keys = [...new Set([...done.keys(), ...defined])].map((key) => ({ key, bytes: Buffer.from(key) }));
  // A defined key after the last row may have events that were not read.
  const last = more ? rows.at(-1)!.eventKey : null;
  const found = keys
    .filter(({ bytes }) => after === null || Buffer.compare(bytes, Buffer.from(after)) > 0)
    .filter(({ bytes }) => last === null || Buffer.compare(bytes, Buffer.from(last)) <= 0)
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ key }) => key);
  const items = found.slice(0, limit).map((key) => toUsage(key, defined.includes(key), done.get(key)));
  const isLast = !more && found.length <= limit;
  // If more pages follow, this one has an item.
  return { items, nextCursor: isLast ? null : encodeKeyCursor(items.at(-1)!.key) };
}

function toUsage(key: string, defined: boolean, row: EventUsage | undefined): EventTypeUsage {
  const { contacts, count, firstAt, lastAt } = row ?? { contacts: 0, count: 0, firstAt: null, lastAt: null };
  return { key, defined, contacts, count, firstAt: toTime(firstAt), lastAt: toTime(lastAt) };
}

function toTime(at: number | null): string | null {
  return at === null ? null : formatTime(at);
}

/** Whether the event's type and time are accepted. Only definitions that are read afresh can refuse it. */
export async function acceptsEvent({ storage, workspace }: Scope, draft: EventDraft): Promise<boolean> {
  const prunedBefore = isOfThePast(draft) ? await storage.findPrunedBefore(workspace) : null;
  const accepts = async (options?: ListOptions): Promise<boolean> =>
    refusalOfEvent(await storage.listDefinitions(workspace, "event", options), prunedBefore, draft) === null;
  return (await accepts()) || accepts({ maxAgeMs: 0 });
}
