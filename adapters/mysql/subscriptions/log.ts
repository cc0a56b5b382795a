/** Reads the log of changes. */
import { topicsOf } from "../../../lib/decisions/changes.ts";
import type { ChangeStorage } from "../../../lib/storage/change-port.ts";
import type { ChangeRow } from "../../../lib/storage/change-rows.ts";
import type { Refused, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { changesLookedAt, changesReadMs } from "../limits.ts";
import { changeStatements as sql, subscriptionStatements, toChange, type LogRange, type Row } from "../sql/index.ts";
import { assertCaughtUp, type OwnRunner, type Work } from "../transactions/index.ts";
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

export function createLog(runner: OwnRunner): Omit<ChangeStorage, "logChanges" | "removeOldChanges"> {
  const log: ReturnType<typeof createLog> = {
    readClock: () =>
      runner.read(async (work) => {
        const [row] = await work.rows(subscriptionStatements.readClock);
        // A SELECT without a table answers one row.
        return Math.floor(Number(row!.clock) / 1_000);
      }),
    readLogEnd: () =>
      runner.read(async (work) => {
        const [row] = await work.rows(subscriptionStatements.findEnd);
        return Number(row?.position ?? 0);
      }),
    async listChanges(workspace, key, after, limit, audienceKey) {
      const reading = await runner.read((work) => begin(work, workspace, key, after));
      if ("refused" in reading) return reading;
      const { range, subscriptionId } = reading;
      const topics = topicsOf(reading.topics, audienceKey);
      if (after === "newest") return runner.read((work) => readNewest(work, { ...reading, topics }, limit));
      const changes: ChangeRow[] = [];
      let { from } = range;
      const endsAt = performance.now() + changesReadMs;
      // Each part is a read with a time limit of its own.
      while (from < range.to && changes.length < limit && performance.now() < endsAt) {
        const rest = { ...range, from };
        const part = await runner.read((work) =>
          readPart(work, { subscriptionId, topics, range: rest }, limit - changes.length),
        );
        // The changes at the beginning were removed in between.
        if ("refused" in part && part === expired && after === null)
          return log.listChanges(workspace, key, after, limit, audienceKey);
        if ("refused" in part) return part;
        changes.push(...part.changes);
        from = part.to;
      }
      // A full page ends at its last change.
      return { changes, position: changes.length === limit ? changes.at(-1)!.position : from };
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

/** Reads the first changes of the range. Looks at a limited number, and resolves with where it ended. */
async function readPart(
  work: Work,
  { subscriptionId, topics, range }: Reading,
  limit: number,
): Promise<{ changes: ChangeRow[]; to: number } | Refused> {
  const to = takesAll(topics) ? range.to : await findEndOfPart(work, range);
  const rows = await work.rows(sql.listChanges(subscriptionId, topics, { ...range, to }, limit));
  const [first] = rows;
  if (!first) return notFound;
  if (range.from < Number(first.first_position)) return expired;
  return { changes: rows.filter(({ position }) => position !== null).map(toChange), to };
}

/** Reads the last changes of the range. Looks at a limited number, because the dashboard asks every few seconds. */
async function readNewest(
  work: Work,
  { subscriptionId, topics, range }: Reading,
  limit: number,
): Promise<{ changes: ChangeRow[]; position: number } | Refused> {
  const [row]: (Row | undefined)[] = takesAll(topics)
    ? []
    : await work.rows(sql.findPosition(range, changesLookedAt, "DESC"));
  const from = row ? Number(row.position) : range.from;
  const rows = await work.rows(sql.listChanges(subscriptionId, topics, { ...range, from }, limit, "DESC"));
  if (rows.length === 0) return notFound;
  return { changes: rows.filter(({ position }) => position !== null).map(toChange), position: range.to };
}

function takesAll({ events, contacts, checklists }: Topics): boolean {
  return events === true && contacts === true && checklists === true;
}

async function findEndOfPart(work: Work, range: LogRange): Promise<number> {
  const [row]: (Row | undefined)[] = await work.rows(sql.findPosition(range, changesLookedAt));
  return row ? Number(row.position) : range.to;
}
