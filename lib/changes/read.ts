/** Reads the changes of a subscription. */
import { findAttributesOf, type Attributes } from "../definitions/attributes.ts";
import { notDefined } from "../definitions/index.ts";
import { shareRead, waitForChange } from "./waits.ts";
import * as pages from "../input/pages.ts";
import { parse } from "../input/shapes.ts";
import { parseKey } from "../input/structs.ts";
import type { Change, FieldChange } from "../model/change-types.ts";
import { isTrackerError } from "../model/errors.ts";
import * as limits from "../model/limits.ts";
import { withOwnSignal, type GivenSignal } from "../model/signals.ts";
import { formatTime } from "../model/times.ts";
import { shownValue } from "../model/attribute-values.ts";
import type { AttributeType, Scalar } from "../model/types.ts";
import type { Scope } from "../scope.ts";
import type { ChangedValue, ChangedValues, ChangeRow } from "../storage/changes.ts";
import type { Refused } from "../storage/rows.ts";
import { accepted } from "../storage/refusals.ts";
import { rest } from "../watches/sweeps.ts";
import { joinWork } from "../work/index.ts";

/** Yields the changes after the cursor. At the end of the log it waits for more. */
export async function* eachChange(
  scope: Scope,
  keyInput: unknown,
  options: unknown = {},
): AsyncGenerator<Change, never, undefined> {
  const key = parseKey(keyInput);
  const { after, signal } = parse(options, pages.changesRequestStruct);
  const ended = AbortSignal.any([signal, scope.closed].filter((given) => given !== undefined));
  let position = positionOf(after);
  let read: typeof readTogether = readChanges;
  // A caller may drop the iterator without closing it. The work then does not keep the process alive.
  const leave = joinWork(scope, { keepsAlive: false });
  try {
    for (;;) {
      ended.throwIfAborted();
      const part: ReadChanges | null = await ifAvailable(read(scope, key, position, limits.changesPerReadMax));
      if (part === null) {
        await rest(limits.changesPauseMs, ended, true);
        continue;
      }
      for (const change of part.items) {
        ended.throwIfAborted();
        // Copied, because other readers may share the read, and the caller may change the item.
        yield read === readTogether ? structuredClone(change) : change;
      }
      let next = { found: part.more, position: part.position };
      read = next.found ? readChanges : readTogether;
      while (!next.found && !ended.aborted) {
        const reader = { workspace: scope.workspace, key, after: next.position };
        next = await waitForChange(scope.storage, reader, 1_000 * limits.changesWaitMaxSeconds, ended);
      }
      position = next.position;
    }
  } finally {
    await leave();
  }
}

/** The newest changes, the newest first. */
export async function listRecentChanges(scope: Scope, keyInput: unknown, request: unknown = {}): Promise<Change[]> {
  const key = parseKey(keyInput);
  const { limit = limits.pageLimitDefault, audienceKey } = parse(request, pages.recentChangesStruct);
  return (await readChanges(scope, key, "newest", limit, audienceKey)).items.reverse();
}

/** A page of changes, the cursor where it ended, and whether others follow. */
interface ChangePage {
  items: Change[];
  cursor: string;
  more: boolean;
}

/** The caller of a page that may wait. Its functions are called only if the page waits. */
export interface Caller {
  /** Returns signals that end the wait. */
  signals?: (() => readonly GivenSignal[]) | undefined;
  /** Throws if the caller may not read any longer. */
  assertValid?: (() => Promise<unknown>) | undefined;
}

/**
 * Logs changes that wait, and reads a page. With `wait` it resolves with a full page at once. Otherwise it resolves with the
 * changes of the first second or, if there are none, with the next change. After `wait` seconds, and when the tracker is closed or
 * a signal of the caller is aborted, it resolves with the page as it is.
 */
export async function listChanges(
  scope: Scope,
  keyInput: unknown,
  request: unknown,
  caller: Caller = {},
): Promise<ChangePage> {
  const key = parseKey(keyInput);
  const { after, limit = limits.pageLimitDefault, wait = 0 } = parse(request, pages.changePageRequestStruct);
  const from = positionOf(after);
  const read =
    wait === 0
      ? logAndRead(scope, key, from, limit)
      : readAndWait(scope, key, { from, limit, waitMs: 1_000 * wait }, caller);
  const { items, position, more } = await read;
  return { items, cursor: pages.encodeChangeCursor(position), more };
}

async function logAndRead(scope: Scope, key: string, from: number | null, limit: number): Promise<ReadChanges> {
  await scope.storage.logChanges();
  return readChanges(scope, key, from, limit);
}

async function readAndWait(
  scope: Scope,
  key: string,
  { from, limit, waitMs }: { from: number | null; limit: number; waitMs: number },
  { signals, assertValid }: Caller,
): Promise<ReadChanges> {
  const { storage, workspace, closed } = scope;
  const startedAt = performance.now();
  const leftMs = (ms: number): number => Math.max(0, startedAt + ms - performance.now());
  // A shared pass may have begun before the call, and then misses later changes. The next look finds them.
  await shareRead(storage, "log", () => storage.logChanges());
  let part = await readTogether(scope, key, from, limit);
  if (part.more || part.items.length === limit) return part;
  return withOwnSignal([closed, ...(signals?.() ?? [])], async (ended) => {
    let after = from;
    let found = part.items.length > 0;
    for (;;) {
      if (found) {
        await rest(leftMs(limits.changesPauseMs), ended, true);
        if (ended.aborted) return part;
        part = await readTogether(scope, key, after, limit);
      }
      if (part.items.length > 0 || part.more || leftMs(waitMs) === 0) return part;
      const reader = { workspace, key, after: part.position };
      const next = await waitForChange(storage, reader, Math.min(leftMs(waitMs), limits.apiKeyCheckMs), ended);
      ({ found, position: after } = next);
      part = { items: [], position: after, more: false };
      if (ended.aborted) return part;
      await assertValid?.();
    }
  });
}

/** Expects a cursor that `changesRequestStruct` or `changePageRequestStruct` has accepted. */
function positionOf(after: string | undefined): number | null {
  return after === undefined ? null : pages.decodeChangeCursor(after);
}

/** Changes, the position after them, and whether others follow. */
interface ReadChanges {
  items: Change[];
  position: number;
  more: boolean;
}

/** Resolves with `null` if the storage is not available now. */
async function ifAvailable<Result>(read: Promise<Result>): Promise<Result | null> {
  try {
    return await read;
  } catch (error) {
    if (isTrackerError(error) && error.code === "storage_unavailable") return null;
    throw error;
  }
}

/** Reads changes for a reader that waits. Readers at the same position share a read, and must not change its result. */
function readTogether(scope: Scope, key: string, after: number | null, limit: number): Promise<ReadChanges> {
  const name = JSON.stringify([scope.workspace, key, after, limit]);
  return shareRead(scope.storage, name, () => readChanges(scope, key, after, limit));
}

async function readChanges(
  scope: Scope,
  key: string,
  after: number | "newest" | null,
  limit: number,
  audienceKey?: string,
): Promise<ReadChanges> {
  const { storage, workspace } = scope;
  const answer = await storage.listChanges(
    workspace,
    key,
    after,
    { limit, maxBytes: limits.pageMaxBytes },
    audienceKey,
  );
  const { rows, position, more } = acceptedOf(key, answer);
  return { items: await showChanges(scope, rows), position, more };
}

/** Returns the answer of a storage about the subscription, or throws its refusal. */
export function acceptedOf<Answer extends object>(key: string, answer: Answer | Refused): Answer {
  if ("refused" in answer && answer.refused.code === "definition_not_found") throw notDefined("subscription", key);
  return accepted(answer);
}

/** The changes as readers and handlers get them. */
export async function showChanges(scope: Scope, rows: readonly ChangeRow[]): Promise<Change[]> {
  const changed = rows.flatMap((row) => ("changed" in row ? [row.changed] : []));
  const attributes = await findAttributesOf(scope, changed);
  return rows.map((row) => showChange(row, attributes));
}

function showChange(row: ChangeRow, attributes: Attributes | undefined): Change {
  const { id, position, contact } = row;
  const common = { id, cursor: pages.encodeChangeCursor(position), at: formatTime(row.at) };
  switch (row.kind) {
    case "event_recorded": {
      const { eventKey, createdAt } = row.event;
      const properties = row.properties === null ? null : (JSON.parse(row.properties) as Record<string, Scalar>);
      const event = { id, eventKey, contactId: contact.id, createdAt: formatTime(createdAt), properties };
      return { ...common, kind: row.kind, contact: row.contact, event };
    }
    case "contact_created":
    case "contact_updated":
      return { ...common, kind: row.kind, contact: row.contact, changed: showValues(row.changed, attributes) };
    case "contact_deleted":
      return { ...common, kind: row.kind, contact: row.contact };
    case "item_completed":
      return { ...common, kind: row.kind, contact: row.contact, item: row.item };
    case "checklist_completed":
      return { ...common, kind: row.kind, contact: row.contact, checklistKey: row.checklistKey };
    case "audience_entered":
    case "audience_left": {
      const { audienceKey, current } = row;
      return { ...common, kind: row.kind, contact: row.contact, audienceKey, ...(current && { current }) };
    }
  }
}

/** The values by field, without those of attributes that were deleted. */
function showValues(
  { fields, attributes: values }: ChangedValues,
  attributes: Attributes | undefined,
): Record<string, FieldChange | null> {
  const { signedUpAt, ...others } = fields;
  const shown: Record<string, FieldChange | null> = { ...others };
  if (signedUpAt !== undefined) shown["signedUpAt"] = showChanged(signedUpAt, "date");
  for (const [id, value] of Object.entries(values)) {
    const definition = attributes?.byId.get(id);
    if (definition) shown[`customAttributes.${definition.key}`] = showChanged(value, definition.body.type);
  }
  return shown;
}

function showChanged(changed: ChangedValue, type: AttributeType): FieldChange | null {
  const show = (value: Scalar | null): Scalar | null => (value === null ? null : shownValue(value, type));
  return changed && { before: show(changed.before), after: show(changed.after) };
}
