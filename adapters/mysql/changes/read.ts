/** Reads the log of changes. */
import { topicsOf } from "../../../lib/decisions/changes.ts";
import type { ChangeStorage, ChangeRow } from "../../../lib/storage/changes.ts";
import type { PageRows, PageSize, Refused, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { changesLookedAt, changesReadMs } from "../limits.ts";
import { createPageReader, type PageReader } from "../pages.ts";
import { changeStatements as sql, subscriptionStatements, toChange, type LogRange, type Row } from "../sql/index.ts";
import { assertCaughtUp, readNumber, type OwnRunner, type Work } from "../transactions/index.ts";
import { findSubscription } from "./find.ts";

type Topics = SubscriptionRow["body"]["on"];

const expired: Refused = { refused: { code: "changes_expired" } };
const notFound: Refused = { refused: { code: "definition_not_found" } };

/** A subscription, and the part of the log that a call reads for it. */
interface Reading {
  subscriptionId: string;
  topics: Topics;
  range: LogRange;
}

export function createLog(runner: OwnRunner): Pick<ChangeStorage, "readClock" | "listChanges"> {
  const log: ReturnType<typeof createLog> = {
    readClock: () =>
      runner.read(async (work) =>
        Math.floor((await readNumber(work, subscriptionStatements.readClock, "clock")) / 1_000),
      ),
    async listChanges(workspace, key, after, size, audienceKey) {
      const copy = structuredClone(size);
      const reading = await runner.read((work) => begin(work, workspace, key, after));
      if ("refused" in reading) return reading;
      const { range, subscriptionId } = reading;
      const topics = topicsOf(reading.topics, audienceKey);
      if (after === "newest") return runner.read((work) => readNewest(work, { ...reading, topics }, copy));
      const { page, fill } = createPageReader(copy, toChange);
      let { from } = range;
      const endsAt = performance.now() + changesReadMs;
      // Each part is a read with a time limit of its own.
      while (from < range.to && !page.more && performance.now() < endsAt) {
        const part = await runner.read((work) => {
          // An earlier try of this read may have filled a part of the page.
          const rest = { ...range, from: Math.max(from, page.rows.at(-1)?.position ?? from) };
          return readPart(work, { subscriptionId, topics, range: rest }, fill);
        });
        // The changes at the beginning were removed in between, so the call starts again at the new beginning.
        if ("refused" in part && part === expired && after === null)
          return log.listChanges(workspace, key, after, copy, audienceKey);
        if ("refused" in part) return part;
        from = part.to;
      }
      // If more changes follow, the page has at least one, and its position is that of its last.
      if (page.more) return { ...page, position: page.rows.at(-1)!.position };
      return { ...page, more: from < range.to, position: from };
    },
  };
  return log;
}

/** Finds the subscription and the range to read. */
async function begin(
  work: Work,
  workspace: string,
  key: string,
  after: number | "newest" | null,
): Promise<Reading | Refused> {
  const found = await findSubscription(work, workspace, key);
  if ("refused" in found) return found;
  const { subscriptionId, topics, first, end: to } = found;
  const from = typeof after === "number" ? after : first;
  // The end may have moved on another node.
  if (from > to) assertCaughtUp(work);
  if (from < first || from > to) return expired;
  return { subscriptionId, topics, range: { workspace, from, to } };
}

/** Fills the page with the first changes of the range. Looks at a limited number, and resolves with the position that it reached. */
async function readPart(
  work: Work,
  { subscriptionId, topics, range }: Reading,
  fill: PageReader<ChangeRow>["fill"],
): Promise<{ to: number } | Refused> {
  const to = takesAll(topics) ? range.to : await findEndOfPart(work, range);
  let refused: Refused | null = null;
  await fill(async (last, count, maxBytes) => {
    const from = last?.position ?? range.from;
    const rows = await work.rows(sql.listChanges(subscriptionId, topics, { ...range, from, to }, count), maxBytes);
    const [first] = rows;
    if (!first) refused = notFound;
    else if (from < Number(first.first_position)) refused = expired;
    return refused ? [] : rows.filter(({ position }) => position !== null);
  });
  return refused ?? { to };
}

/** Reads the last changes of the range. Looks at a limited number of them, because the dashboard asks every few seconds. */
async function readNewest(
  work: Work,
  { subscriptionId, topics, range }: Reading,
  size: PageSize,
): Promise<(PageRows<ChangeRow> & { position: number }) | Refused> {
  const [row]: (Row | undefined)[] = takesAll(topics)
    ? []
    : await work.rows(sql.findPosition(range, changesLookedAt, "DESC"));
  const from = row ? Number(row.position) : range.from;
  let isFound = true;
  const page = await createPageReader(size, toChange).fill(async (last, count, maxBytes) => {
    const rest = { ...range, from, to: last ? last.position - 1 : range.to };
    const rows = await work.rows(sql.listChanges(subscriptionId, topics, rest, count, "DESC"), maxBytes);
    isFound = rows.length > 0;
    return rows.filter(({ position }) => position !== null).reverse();
  });
  return isFound ? { ...page, rows: page.rows.reverse(), position: range.to } : notFound;
}

function takesAll({ events, contacts, checklists }: Topics): boolean {
  return events === true && contacts === true && checklists === true;
}

async function findEndOfPart(work: Work, range: LogRange): Promise<number> {
  const [row]: (Row | undefined)[] = await work.rows(sql.findPosition(range, changesLookedAt));
  return row ? Number(row.position) : range.to;
}
