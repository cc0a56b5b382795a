import { findAttributesOf } from "../definitions/attributes.ts";
import { findAudienceCondition } from "../audiences.ts";
import { showContact } from "../contacts/index.ts";
import { findChecklistKeys, findCompletionsByHand, type CompletionByHand } from "../checklists/index.ts";
import { findDismissed, type DismissedChecklist } from "../checklists/dismissals.ts";
import { showRecordedEvent, type ExportedEvent } from "../events/index.ts";
import { firstIdAt } from "../model/ids.ts";
import { pageLimitMax, pageMaxBytes } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import type { ContactRow, PageRows, Position, Slice } from "../storage/rows.ts";
import type { Contact } from "../model/types.ts";

/** A contact as `whodid export` writes it: an input of `contacts.upsert` with some more fields. */
export interface ExportedContact extends Omit<Contact, "externalId"> {
  /** `null` if the contact has none of its own. */
  externalId: string | null;
  completions: CompletionByHand[];
  dismissals: DismissedChecklist[];
}

/** The part of a workspace to export. */
export interface ExportRequest {
  /** Leaves out what was recorded before this time, in milliseconds since the Unix epoch. */
  since: number | null;
  /** The key of an audience: exports its members alone. */
  audience: string | null;
}

/** The number of contacts to look up at once: as many as a pool has connections by default. */
const lookUpsAtOnce = 10;

/** Exports contacts page by page: all contacts, oldest first, or the members of an audience, in order of id. */
export async function* exportContacts(
  scope: Scope,
  { since, audience }: ExportRequest,
): AsyncGenerator<ExportedContact[]> {
  const checklistKeys = await findChecklistKeys(scope);
  for await (const rows of audience === null ? pagesOfContacts(scope, since) : pagesOfMembers(scope, audience)) {
    const recorded = rows.filter(({ createdAt }) => since === null || createdAt >= since);
    yield await withChecklists(scope, recorded, checklistKeys);
  }
}

function pagesOfContacts({ storage, workspace }: Scope, since: number | null): AsyncGenerator<ContactRow[]> {
  const from = since === null ? null : { createdAt: since, id: firstIdAt(since) };
  return pagesOf((slice) => storage.listContacts(workspace, { ...slice, query: "", order: "oldest" }), from);
}

async function* pagesOfMembers(scope: Scope, audience: string): AsyncGenerator<ContactRow[]> {
  const condition = await findAudienceCondition(scope, audience);
  yield* pagesOf((slice) => scope.storage.listMembers(scope.workspace, condition, slice), null);
}

async function* pagesOf(
  list: (slice: Slice) => Promise<PageRows<ContactRow>>,
  from: Position | null,
): AsyncGenerator<ContactRow[]> {
  let after: Position | null | undefined = from;
  let limit = pageLimitMax;
  do {
    const { rows, more }: PageRows<ContactRow> = await list({ limit, maxBytes: pageMaxBytes, after });
    yield rows;
    after = more ? rows.at(-1) : undefined;
    limit = Math.min(2 * rows.length, pageLimitMax);
  } while (after);
}

/** Without checklists there are neither completions nor dismissals, which saves two look-ups per contact. */
async function withChecklists(
  scope: Scope,
  rows: readonly ContactRow[],
  checklistKeys: ReadonlyMap<string, string>,
): Promise<ExportedContact[]> {
  const attributes = await findAttributesOf(scope, rows);
  const exportOne = async (row: ContactRow): Promise<ExportedContact> => ({
    ...showContact(row, attributes),
    externalId: row.externalId,
    completions: checklistKeys.size > 0 ? await findCompletionsByHand(scope, row.id, checklistKeys) : [],
    dismissals: checklistKeys.size > 0 ? await findDismissed(scope, row.id, checklistKeys) : [],
  });
  const exported: ExportedContact[] = [];
  for (let first = 0; first < rows.length; first += lookUpsAtOnce) {
    exported.push(...(await Promise.all(rows.slice(first, first + lookUpsAtOnce).map(exportOne))));
  }
  return exported;
}

/** Exports events, page by page, in order of their recording. Each is an input of `events.track` with some more fields. */
export async function* exportEvents(scope: Scope, { since, audience }: ExportRequest): AsyncGenerator<ExportedEvent[]> {
  const members = audience === null ? null : await findMemberIds(scope, audience);
  const size = { limit: pageLimitMax, maxBytes: pageMaxBytes };
  let after = since === null ? null : firstIdAt(since);
  do {
    const { events, next } = await scope.storage.listRecorded(scope.workspace, after, size);
    yield events.filter(({ contactId }) => members === null || members.has(contactId)).map(showRecordedEvent);
    after = next;
  } while (after !== null);
}

async function findMemberIds(scope: Scope, audience: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const rows of pagesOfMembers(scope, audience)) for (const { id } of rows) ids.add(id);
  return ids;
}
