import { createPool, type Pool } from "mysql2/promise";
import type { Rule, Tracker } from "../../lib/index.ts";
import { fillBehaviour, now } from "./behaviour-data.ts";
import { largeServer, numberBy, onDatabase, openTracker } from "./databases.ts";
import { format, median, spread, timeOf } from "./rounds.ts";

const eventKey = "step_00";
const often: Rule = { kind: "count_greater_than", eventKey, count: 2 };
const lately: Rule = { kind: "last_done_within", eventKey, period: { days: 30 } };

const kinds: Record<string, Rule> = {
  has_done: { kind: "has_done", eventKey },
  has_not_done: { kind: "has_not_done", eventKey },
  count_greater_than: often,
  first_done_within: { kind: "first_done_within", eventKey, period: { days: 30 } },
  last_done_within: lately,
  "all of two keys": { all: [often, { kind: "has_done", eventKey: "step_01" }] },
  "any of two keys": { any: [often, { kind: "has_done", eventKey: "step_01" }] },
  "win-back": { all: [often, { not: lately }] },
};

const day = 86_400_000;

/**
 * Audiences on MySQL, over data made straight in the tables: `npm run bench -- audiences [CONTACTS [EVENTS]]`, a million and ten
 * million unless said otherwise. Counts against GROUP BY over the events, by the adapter's index and by a rival one, in alternating
 * rounds.
 */
export async function run(contacts = "1000000", events = "10000000", rounds = "5"): Promise<void> {
  await onDatabase(largeServer, async ({ url }) => {
    const pool = createPool({ uri: url, connectionLimit: 1 });
    const { tracker } = await openTracker(pool, 0, { now: () => new Date(now) });
    await fillBehaviour(pool, { contacts: Number(contacts), events: Number(events) });
    await compareCounts(tracker, pool, Number(rounds));
    await pool.end();
  });
}

async function compareCounts(tracker: Tracker, pool: Pool, rounds: number): Promise<void> {
  const measure = async (what: string, rule: Rule, index: string, counts: number[], groups: number[]) => {
    let [counted, grouped] = [0, 0];
    counts.push(await timeOf(async () => (counted = await tracker.audiences.count(rule))));
    groups.push(await timeOf(async () => (grouped = await countByEvents(pool, rule, index))));
    if (counted !== grouped) throw new Error(`${what}: ${counted} and ${grouped} by the events`);
    return counted;
  };
  for (const index of ["by_contact", "rival"]) {
    if (index === "rival") {
      await pool.query("ALTER TABLE whodid_events ADD KEY rival (event_key, contact_id, created_at)");
    }
    console.log(`count, and GROUP BY over the events by the index ${index}:`);
    for (const [what, rule] of Object.entries(kinds)) {
      const counts: number[] = [];
      const groups: number[] = [];
      let members = 0;
      for (let round = 0; round < rounds; round++) members = await measure(what, rule, index, counts, groups);
      const ratio = (median(groups) / median(counts)).toFixed(1);
      console.log(
        `${what.padEnd(20)} ${spread(counts)}, ${spread(groups)}: ${ratio} times, ${format(members)} members`,
      );
    }
  }
}

/** What one would ask without summaries: who has events of the keys, and how many and when. */
async function countByEvents(pool: Pool, rule: Rule, index: string): Promise<number> {
  const values: (string | number)[] = [];
  const having = (part: Rule): string => {
    if ("all" in part) return `(${part.all.map(having).join(" AND ")})`;
    if ("any" in part) return `(${part.any.map(having).join(" OR ")})`;
    if ("not" in part) return `NOT ${having(part.not)}`;
    if (!("eventKey" in part)) throw new Error("not about events");
    values.push(part.eventKey);
    if (part.kind === "has_done" || part.kind === "has_not_done") return "SUM(event_key = ?) > 0";
    if (part.kind === "count_greater_than") return `SUM(event_key = ?) > ${part.count}`;
    const bound = part.kind === "first_done_within" ? "MIN" : "MAX";
    const from = now - 30 * day;
    return `COALESCE(${bound}(IF(event_key = ?, created_at, NULL)) BETWEEN ${from} AND ${now}, FALSE)`;
  };
  const condition = having(rule);
  const keys = [...new Set(values)];
  const n = await numberBy(
    pool,
    `SELECT COUNT(*) AS n FROM (SELECT contact_id FROM whodid_events FORCE INDEX (${index})
     WHERE event_key IN (${keys.map(() => "?").join(", ")}) GROUP BY contact_id HAVING ${condition}) found`,
    [...keys, ...values],
  );
  if (!("kind" in rule) || rule.kind !== "has_not_done") return n;
  return (await numberBy(pool, "SELECT COUNT(*) AS n FROM whodid_contacts")) - n;
}
