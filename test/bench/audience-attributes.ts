import type { Pool } from "mysql2/promise";
import type { Tracker } from "../../lib/index.ts";
import type { ScalarType } from "../../lib/model/declarations.ts";

const types: readonly ScalarType[] = ["text", "number", "boolean"];
const count = 10;
const keyOf = (index: number): string => `attribute_${index}`;
const perStatement = 50_000;

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
