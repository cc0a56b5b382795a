import { control } from "./control.ts";
import type { Fragment, Query } from "./statement.ts";

/** A statement or condition with values, or a text without any. */
type Part = Fragment | string;

/**
 * One statement of MariaDB that executes several. An error ends it, and leaves its transaction open. `declarations` come first,
 * as SQL demands.
 */
export function compoundOf(name: string, parts: readonly Part[], declarations = ""): Query {
  const isVariable = parts.some((part) => (part as Partial<Query>).isVariable);
  return { name, ...enclose(`BEGIN NOT ATOMIC ${declarations}`, parts, "END"), ...(isVariable && { isVariable }) };
}

/** A part of a compound statement. */
export function either(condition: Part, parts: readonly Part[], otherwise: readonly Part[] = []): Fragment {
  const { sql, values } = toFragment(condition);
  const first = enclose(`IF ${sql} THEN`, parts, otherwise.length > 0 ? "ELSE" : "END IF");
  const second = otherwise.length > 0 ? enclose("", otherwise, "END IF") : { sql: "", values: [] };
  return { sql: first.sql + second.sql, values: [...values, ...first.values, ...second.values] };
}

/** Begins a transaction with its first statement. */
export function beginningWith(query: Query): Query {
  return compoundOf(query.name, [control.begin, query]);
}

/** Ends a transaction with its last writes. */
export function committedAfter(writes: readonly Query[]): Query {
  return compoundOf(writes.map(({ name }) => name).join("_"), [...writes, control.commit]);
}

function enclose(before: string, parts: readonly Part[], after: string): Fragment {
  const fragments = parts.map(toFragment);
  return {
    sql: `${before}\n${fragments.map(({ sql }) => `${sql};\n`).join("")}${after}`,
    values: fragments.flatMap(({ values }) => values),
  };
}

function toFragment(part: Part): Fragment {
  return typeof part === "string" ? { sql: part, values: [] } : part;
}
