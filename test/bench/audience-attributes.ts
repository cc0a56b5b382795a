import type { Pool } from "mysql2/promise";
import type { Rule, Tracker } from "../../lib/index.ts";
import type { ScalarType } from "../../lib/model/declarations.ts";
import { now } from "./behaviour-data.ts";
import { numberBy } from "./databases.ts";
import { format, median, timeOf } from "./rounds.ts";

const types: readonly ScalarType[] = ["text", "number", "boolean"];
const count = 10;
const keyOf = (index: number): string => `attribute_${index}`;
const perStatement = 50_000;
const week = 7 * 86_400_000;

const text: Rule = { kind: "attribute", key: keyOf(6), operator: "equals", value: "value 7 of 20, é" };
const active: Rule = { kind: "last_done_within", eventKey: "step_00", period: { from: new Date(now - week) } };

/** A rule, and what a careful person writes for it: `j` is the attribute as text, by the server's JSON functions. */
const comparisons: [string, Rule, string][] = [
  ["text equals", text, "{6} = 'value 7 of 20, é'"],
  [
    "text one_of three",
    { ...text, operator: "one_of", value: [1, 2, 3].map((n) => `value ${n} of 20, é`) },
    "{6} IN ('value 1 of 20, é', 'value 2 of 20, é', 'value 3 of 20, é')",
  ],
  ["text starts_with", { ...text, operator: "starts_with", value: "value 7" }, "{6} LIKE 'value 7%'"],
  ["text contains", { ...text, operator: "contains", value: "7 of" }, "{6} LIKE '%7 of%'"],
  ["number greater_than", { ...text, key: keyOf(4), operator: "greater_than", value: 900 }, "{4} + 0e0 > 900"],
  [
    "number between",
    { ...text, key: keyOf(4), operator: "between", value: [100, 900] },
    "{4} + 0e0 BETWEEN 100 AND 900",
  ],
  ["boolean equals", { ...text, key: keyOf(5), operator: "equals", value: true }, "{5} = 'true'"],
  ["not set", { ...text, operator: "is_set", value: false }, "{6} IS NULL"],
  [
    "text equals, and an event",
    { all: [text, { kind: "has_done", eventKey: "step_00" }] },
    "{6} = 'value 7 of 20, é' AND {did}",
  ],
  ["text equals, and an event lately", { all: [text, active] }, "{6} = 'value 7 of 20, é' AND {lately}"],
];

/** Counts the members of rules about ten attributes, in turn with statements written by hand. */
export async function compareAttributes(
  tracker: Tracker,
  pool: Pool,
  { contacts, rounds }: { contacts: number; rounds: number },
): Promise<void> {
  const ids = await fillAttributes(tracker, pool, contacts);
  console.log("count of rules about ten attributes, and JSON functions with EXISTS:");
  for (const [what, rule, condition] of comparisons) {
    const times: [number[], number[]] = [[], []];
    const found = [0, 0];
    for (let round = 0; round < rounds; round++) {
      times[0].push(await timeOf(async () => (found[0] = await tracker.audiences.count(rule))));
      times[1].push(await timeOf(async () => (found[1] = await countByHand(pool, condition, ids))));
      if (found[0] !== found[1]) throw new Error(`${what}: ${found[0]} and ${found[1]} by hand`);
    }
    const [ours, byHand] = times.map(median) as [number, number];
    const told = `${ours.toFixed(1)} ms, ${byHand.toFixed(1)} ms: ${(byHand / ours).toFixed(1)} times`;
    console.log(`${what.padEnd(34)} ${told}, ${format(found[0]!)} members`);
  }
}

/** Gives every contact ten attributes: the contact with the number n, which is its `createdAt`. Resolves with the attributes' ids. */
export async function fillAttributes(tracker: Tracker, pool: Pool, contacts: number): Promise<string[]> {
  const [newest] = await idsOf(pool);
  if (newest !== undefined) throw new Error("The attributes are there already.");
  for (let index = 0; index < count; index++) {
    await tracker.attributes.define({ key: keyOf(index), type: types[index % types.length]! });
  }
  const ids = await idsOf(pool);
  const values = {
    text: `CONCAT('"value ', created_at % 20, ' of 20, é"')`,
    number: "created_at % 1000",
    boolean: "IF(created_at % 3 = 0, 'true', 'false')",
  };
  const members = ids.map((id, index) => `'"${id}":', ${values[types[index % types.length]!]}`);
  for (let first = 0; first < contacts; first += perStatement) {
    await pool.query(
      `UPDATE whodid_contacts SET attributes = CONCAT('{', ${members.join(", ',', ")}, '}')
       WHERE workspace = 'default' AND created_at >= ? AND created_at < ?`,
      [first, first + perStatement],
    );
  }
  await pool.query("ANALYZE TABLE whodid_contacts");
  return ids;
}

async function idsOf(pool: Pool): Promise<string[]> {
  const [rows] = await pool.query(
    "SELECT LOWER(HEX(id)) AS id FROM whodid_definitions WHERE kind = 'attribute' ORDER BY created_at, id",
  );
  return (rows as { id: string }[]).map(({ id }) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
}

async function countByHand(pool: Pool, condition: string, ids: readonly string[]): Promise<number> {
  const exists = "EXISTS (SELECT 1 FROM whodid_events e WHERE e.contact_id = c.id AND e.event_key = 'step_00'";
  const sql = condition
    .replace("{did}", `${exists})`)
    .replace("{lately}", `${exists} AND e.created_at >= ${now - week})`)
    .replaceAll(/\{(\d)\}/g, (_, index) => `JSON_UNQUOTE(JSON_EXTRACT(c.attributes, '$."${ids[Number(index)]}"'))`);
  return numberBy(pool, `SELECT COUNT(*) AS n FROM whodid_contacts c WHERE c.workspace = 'default' AND ${sql}`);
}
