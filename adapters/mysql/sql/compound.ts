import { toFragment, type Part, type Sequence } from "./sequence.ts";
import type { Fragment } from "./fragments.ts";
import type { Query } from "./statement.ts";

/** One statement of MariaDB that executes the sequence. An error ends the statement, and leaves its transaction open. */
export function compoundOf({ name, parts, declarations = "" }: Sequence): Query {
  const isVariable = parts.some((part) => (part as Partial<Query>).isVariable);
  return { name, ...enclose(`BEGIN NOT ATOMIC ${declarations}`, parts, "END"), ...(isVariable && { isVariable }) };
}

/** Returns an IF with its ELSE, as a part of a compound statement. */
export function either(condition: Part, parts: readonly Part[], otherwise: readonly Part[] = []): Fragment {
  const { sql, values } = toFragment(condition);
  const first = enclose(`IF ${sql} THEN`, parts, otherwise.length > 0 ? "ELSE" : "END IF");
  const second = otherwise.length > 0 ? enclose("", otherwise, "END IF") : { sql: "", values: [] };
  return { sql: first.sql + second.sql, values: [...values, ...first.values, ...second.values] };
}

function enclose(before: string, parts: readonly Part[], after: string): Fragment {
  const fragments = parts.map(toFragment);
  return {
    sql: `${before}\n${fragments.map(({ sql }) => `${sql};\n`).join("")}${after}`,
    values: fragments.flatMap(({ values }) => values),
  };
}
