import type { Storage } from "../../../lib/storage/port.ts";
import type { ActivityCounts } from "../../../lib/storage/rows.ts";
import { activityKeptMax, activityKeptMs, serverHeadStartMs } from "../limits.ts";
import { eventListStatements as sql, type Statement } from "../sql/index.ts";
import type { Runner, Work } from "../transactions/index.ts";

/** Counts one span after another, each by a statement of its own. Keeps the counts of those that have ended. */
export function createActivity(runner: Runner, timeoutMs: number): Pick<Storage, "countActivity"> {
  let kept = new Map<string, ActivityCounts>();
  let keptUntil = 0;

  return {
    async countActivity(workspace, eventKey, given, now) {
      const begun = performance.now();
      if (begun >= keptUntil || kept.size >= activityKeptMax) {
        kept = new Map();
        keptUntil = begun + activityKeptMs;
      }
      // A call that outlasts `keptUntil` adds to a map that nobody reads any more.
      const known = kept;
      const spans = structuredClone(given);
      const counted: ActivityCounts[] = [];
      const counting = runner.read(async (work) => {
        // A retry goes on after the spans that are counted.
        for (const span of spans.slice(counted.length)) {
          const name = JSON.stringify([workspace, eventKey, span.from, span.to]);
          const counts = known.get(name) ?? (await countSpan(work, sql.countActivity(workspace, eventKey, span)));
          if (span.to <= now) known.set(name, counts);
          counted.push({ ...counts });
        }
      }, timeoutMs);
      await counting.catch((error: unknown) => {
        const isTimeOver = performance.now() >= begun + timeoutMs - serverHeadStartMs;
        if (counted.length === 0 || !isTimeOver) throw error;
      });
      return counted;
    },
  };
}

async function countSpan(work: Work, statement: Statement): Promise<ActivityCounts> {
  const [row] = await work.rows(statement);
  // COUNT returns one row.
  return { events: Number(row!.events), contacts: Number(row!.contacts), newContacts: Number(row!.new_contacts) };
}
