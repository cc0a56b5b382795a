import { contactWrites, prepareByOwnId } from "../../lib/contacts/upserts.ts";
import { eventWrites } from "../../lib/events/index.ts";
import { writeMany, type OnResult } from "../../lib/bulk/many.ts";
import type { Scope } from "../../lib/scope.ts";
import type { KeyedEvent } from "../../lib/model/types.ts";
import { formatCount, formatSeconds } from "../progress.ts";
import { CommandError } from "../settings.ts";
import { createChecklistWrites, type GivenLists } from "./checklists.ts";
import { findTypes, readByDefinition } from "./typed-values.ts";
import { rollingBack } from "./dry-run.ts";
import { eventKeyOf } from "./idempotency-key.ts";
import type { Kind } from "./formats.ts";
import type { Mapper } from "./mapping.ts";
import type { Reason, RefusedRow, RefusedRows } from "./refused-rows.ts";
import type { Row } from "./rows.ts";
import type { Source } from "./source.ts";
import { countName, countRefused, type Tally } from "./tally.ts";
import { isOlderThanKept } from "./values.ts";

export { createMapper } from "./mapping.ts";
export { openRefusedRows } from "./refused-rows.ts";
export { openSource } from "./source.ts";
export { createTally, summaryOf } from "./tally.ts";
export type { Kind } from "./formats.ts";

/** The run stops after the database has not answered the writes of so many consecutive rows. */
const unansweredMax = 500;

/** Subscribers must not act on imported history, for example send mails. */
const silent = { notify: false };

/** The source of an import, and the outputs for its results. */
export interface ImportRequest {
  kind: Kind;
  source: Source;
  mapper: Mapper;
  /** Whether attributes without a definition are left out: other products' exports are full of them. */
  leavesUndefined: boolean;
  isDryRun: boolean;
  refusedRows: RefusedRows;
  tally: Tally;
}

/** Imports the rows of the source. Holds a bounded number of them in memory. Throws a `CommandError` if it cannot go on. */
export async function importRows(scope: Scope, request: ImportRequest): Promise<void> {
  const { kind, source, mapper, leavesUndefined, isDryRun, refusedRows, tally } = request;
  const types = await findTypes(scope);
  const checklists = await createChecklistWrites(scope, isDryRun);
  // Without the text of the rows, which is no longer needed, to save memory.
  const pending: { row: Omit<Row, "text">; item: Record<string, unknown>; given: GivenLists }[] = [];
  let unanswered = 0;
  let failure: unknown;

  async function refuse(row: RefusedRow, reason: Reason): Promise<void> {
    countRefused(tally, reason);
    await refusedRows.add(row, reason).catch((error: unknown) => {
      failure ??= error;
      // Does not throw yet, because the rows that were read are still written and must be counted.
      source.stop();
    });
  }

  async function* items(): AsyncGenerator<Record<string, unknown>> {
    for await (const row of source.rows(mapper.needed)) {
      if (row.value === null) {
        tally.rows++;
        await refuse(row, { code: "malformed_row", message: `The row ${row.problem}.` });
        continue;
      }
      const mapped = mapper.map(row.value);
      if (!mapped) {
        tally.rows++;
        tally.others++;
        continue;
      }
      readByDefinition(mapped, types, leavesUndefined);
      for (const path of mapped.leftOut) countName(tally.leftOut, path);
      const { completions, dismissals, id, ...item } = mapped.item;
      const given = { completions, dismissals };
      if (kind === "events") item["idempotencyKey"] = eventKeyOf(id, source.name, row);
      const problem = checklists.problemOf(given);
      if (problem) {
        tally.rows++;
        await refuse(row, problem);
        continue;
      }
      const { line, number, value } = row;
      pending.push({ row: { line, number, value }, item, given });
      yield item;
    }
  }

  const each: OnResult<{ created?: boolean; replayed?: boolean }> = async (result) => {
    // Results come in the order of the items.
    const { row, item, given } = pending.shift()!;
    tally.rows++;
    if (result.ok) {
      unanswered = 0;
      countName(tally.done, wordFor(result));
      await checklists.write(item, given, (reason) => refuse(row, reason));
      return;
    }
    const { code, message, issues } = result.error;
    if (isOlderThanKept(item["createdAt"], issues, scope.now()))
      return countName(tally.done, "older than what is kept");
    await refuse(row, { code, message, ...(issues.length > 0 && { issues }) });
    unanswered = code === "storage_unavailable" ? unanswered + 1 : 0;
    if (unanswered >= unansweredMax) throw new CommandError("The database does not answer. Run it again to go on.");
  };

  const written = isDryRun ? { ...scope, storage: rollingBack(scope.storage) } : scope;
  if (kind === "contacts") await writeMany(items(), contactWrites(written, prepareByOwnId, silent), each);
  else
    await writeMany(items() as AsyncGenerator<never> as AsyncIterable<KeyedEvent>, eventWrites(written, silent), each);
  await checklists.settled();
  if (failure !== undefined) throw failure;
}

function wordFor({ created, replayed }: { created?: boolean; replayed?: boolean }): string {
  if (created !== undefined) return created ? "created" : "there before";
  return replayed ? "recorded before" : "recorded";
}

/** The texts to print about a run under way, the most important first. */
export function progressOf({ rows, refused }: Tally, source: Source, seconds: number): string[] {
  const part = source.readPart();
  const counted = [`${formatCount(rows)} rows`, `${formatCount(refused)} refused`];
  const rate = `${formatCount(rows / seconds)}/s`;
  if (part === null || part === 0) return [...counted, rate, formatSeconds(seconds)];
  return [`${Math.floor(part * 100)}%`, ...counted, `${formatSeconds((seconds * (1 - part)) / part)} left`, rate];
}
