import type { Pool } from "mysql2/promise";
import type { PropertyCondition, Rule, Tracker } from "../../lib/index.ts";
import { now } from "./behaviour-data.ts";
import { numberBy } from "./databases.ts";
import { format, median, spread, timeOf } from "./rounds.ts";

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

/**
 * Counts the members of rules about a period in turn with the quickest of the statements written by hand, and lists a page of
 * them. Each statement has a minute.
 */
export async function comparePeriods(tracker: Tracker, pool: Pool, rounds: number): Promise<void> {
  console.log(
    "count of rules about a period, and GROUP BY over the events by the quickest index; the first page of members:",
  );
  for (const [what, question] of Object.entries(questions)) {
    const rule = ruleOf(question);
    const tried = new Map<string, number>();
    for (const name of indexes)
      tried.set(name, await timeOf(() => countByHand(pool, question, name).catch(ignoreTimeout)));
    const [quickest] = indexes.toSorted((one, other) => tried.get(one)! - tried.get(other)!);
    const times: number[][] = [[], [], []];
    const found: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const measured = [
        async () => (found[0] = await tracker.audiences.count(rule)),
        async () => (found[1] = await countByHand(pool, question, quickest!)),
        () => tracker.audiences.members(rule),
      ];
      for (const index of [round % 2, 1 - (round % 2), 2]) times[index]!.push(await timeOf(measured[index]!));
    }
    if (found[0] !== found[1]) throw new Error(`${what}: ${found.join(" and ")} by hand`);
    const [ours, byHand, page] = times.map(spread);
    const ratio = (median(times[1]!) / median(times[0]!)).toFixed(1);
    console.log(
      `${what.padEnd(34)} ${ours}, ${quickest} ${byHand}: ${ratio} times, ${format(found[0]!)} members; page ${page}`,
    );
    console.log(`${"".padEnd(34)} ${[...tried].map(([name, ms]) => `${name} ${format(ms)}`).join(", ")} ms at first`);
  }
  await explain(pool);
}

const timedOut = 1969;

function ignoreTimeout(error: unknown): void {
  if ((error as { errno?: number }).errno !== timedOut) throw error;
}

function ruleOf({ eventKey, least, days, above }: Question): Rule {
  const where: PropertyCondition[] =
    above === null ? [] : [{ property: "total", operator: "greater_than", value: above }];
  const counted = { eventKey, period: { days }, ...(above !== null && { where }) };
  return least === 1 ? { kind: "has_done", ...counted } : { kind: "count_greater_than", count: least - 1, ...counted };
}

function countByHand(pool: Pool, { eventKey, least, days, above }: Question, index: string): Promise<number> {
  const isAbove = above === null ? "" : ` AND JSON_EXTRACT(properties, '$.total') > ${above}`;
  return numberBy(
    pool,
    `SET STATEMENT max_statement_time = 60 FOR SELECT COUNT(*) AS n FROM (SELECT contact_id FROM whodid_events FORCE INDEX (${index})
     WHERE ${index === "by_contact" ? "" : "workspace = 'default' AND "}event_key = ? AND created_at >= ?${isAbove}
     GROUP BY contact_id HAVING COUNT(*) >= ?) found`,
    [eventKey, now - days * day, least],
  );
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
