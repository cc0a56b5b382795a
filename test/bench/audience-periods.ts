import type { Pool } from "mysql2/promise";
import type { PropertyCondition, Rule, Tracker } from "../../lib/index.ts";
import { now } from "./behaviour-data.ts";
import { format, median } from "./rounds.ts";

const day = 86_400_000;

interface Question {
  eventKey: string;
  /** How many events it takes. */
  least: number;
  days: number;
  /** The least total of an event; `null` for any. */
  above: number | null;
}

const questions: Record<string, Question> = {
  "any signup in a year, everybody": { eventKey: "signup", least: 1, days: 365, above: null },
  "a signup over 100 in a year, half": { eventKey: "signup", least: 1, days: 365, above: 100 },
  "a signup over 198 in a year, few": { eventKey: "signup", least: 1, days: 365, above: 198 },
  "a step in a year, a fifth": { eventKey: "step_00", least: 1, days: 365, above: null },
  "a step over 100 in 180 days": { eventKey: "step_00", least: 1, days: 180, above: 100 },
  "3 steps in 30 days": { eventKey: "step_00", least: 3, days: 30, above: null },
  "6 steps in 180 days, under 1 %": { eventKey: "step_00", least: 6, days: 180, above: null },
  "6 steps over 100 in 180 days": { eventKey: "step_00", least: 6, days: 180, above: 100 },
};

/** Each of the statements that a careful person writes reads the events by one index, or by the table itself. */
const indexes = ["by_contact", "by_creation", "PRIMARY"];

/** Counts the members of rules about a period, in turn with each statement written by hand, and lists a page of them. */
export async function comparePeriods(tracker: Tracker, pool: Pool, rounds: number): Promise<void> {
  console.log("count of rules about a period, and GROUP BY over the events by each index; the first page of members:");
  for (const [what, question] of Object.entries(questions)) {
    const rule = ruleOf(question);
    const times: number[][] = [[], [], ...indexes.map(() => [])];
    const found: number[] = [];
    for (let round = 0; round < rounds; round++) {
      times[0]!.push(await timeOf(async () => (found[0] = await tracker.audiences.count(rule))));
      times[1]!.push(await timeOf(() => tracker.audiences.members(rule)));
      for (const [index, name] of indexes.entries()) {
        times[index + 2]!.push(await timeOf(async () => (found[index + 1] = await countByHand(pool, question, name))));
      }
    }
    if (new Set(found).size > 1) throw new Error(`${what}: ${found.join(" and ")} by hand`);
    const [ours, page, ...byHand] = times.map(spread);
    const best = Math.min(...times.slice(2).map(median));
    console.log(
      `${what.padEnd(34)} ${ours}: ${(best / median(times[0]!)).toFixed(1)} times, ${format(found[0]!)} members`,
    );
    console.log(
      `${"".padEnd(34)} page ${page}; ${indexes.map((name, index) => `${name} ${byHand[index]}`).join("; ")}`,
    );
  }
  await explain(pool);
}

function ruleOf({ eventKey, least, days, above }: Question): Rule {
  const where: PropertyCondition[] =
    above === null ? [] : [{ property: "total", operator: "greater_than", value: above }];
  const counted = { eventKey, period: { days }, ...(above !== null && { where }) };
  return least === 1 ? { kind: "has_done", ...counted } : { kind: "count_greater_than", count: least - 1, ...counted };
}

async function countByHand(pool: Pool, { eventKey, least, days, above }: Question, index: string): Promise<number> {
  const isAbove = above === null ? "" : ` AND JSON_EXTRACT(properties, '$.total') > ${above}`;
  const [rows] = await pool.query(
    `SELECT COUNT(*) AS n FROM (SELECT contact_id FROM whodid_events FORCE INDEX (${index})
     WHERE ${index === "by_contact" ? "" : "workspace = 'default' AND "}event_key = ? AND created_at >= ?${isAbove}
     GROUP BY contact_id HAVING COUNT(*) >= ?) found`,
    [eventKey, now - days * day, least],
  );
  return (rows as [{ n: number }])[0].n;
}

/** Prints how the server reads the events of a contact that its summary does not exclude. */
async function explain(pool: Pool): Promise<void> {
  const [rows] = await pool.query(
    `EXPLAIN FORMAT=TRADITIONAL SELECT STRAIGHT_JOIN m.contact_id FROM whodid_summaries m FORCE INDEX (PRIMARY)
     WHERE m.workspace = 'default' AND m.event_key = 'step_00' AND m.event_count >= 3 AND m.last_at >= ${now - 30 * day}
     AND (SELECT 1 FROM whodid_events e FORCE INDEX (by_contact) WHERE e.contact_id = m.contact_id
       AND e.created_at >= ${now - 30 * day} AND e.event_key = 'step_00' LIMIT 2, 1) IS NOT NULL`,
  );
  for (const { select_type: type, table, type: access, key, key_len: length, ref, Extra: extra } of rows as Row[]) {
    console.log(`EXPLAIN: ${[type, table, access, key, length, ref, extra].join(", ")}`);
  }
}

type Row = Record<"select_type" | "table" | "type" | "key" | "key_len" | "ref" | "Extra", string>;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function spread(times: number[]): string {
  const ms = (value: number): string => (value < 10 ? value.toFixed(1) : format(value));
  return `${ms(median(times))} ms (${ms(Math.min(...times))} to ${ms(Math.max(...times))})`;
}
