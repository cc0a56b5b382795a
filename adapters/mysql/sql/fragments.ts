/** Parts of statements. Every value becomes a placeholder, at the place where it stands in the template. */

/** A part of a statement's text, and the values of its placeholders. */
export interface Fragment {
  sql: string;
  values: readonly (string | number | null)[];
}

/** Joins fragments, texts (sent as bytes) and numbers to one fragment. */
export function fragment(texts: TemplateStringsArray, ...operands: (Fragment | string | number)[]): Fragment {
  let sql = texts[0]!;
  const values: (string | number | null)[] = [];
  for (const [index, operand] of operands.entries()) {
    const placeholder = typeof operand === "string" ? "CAST(? AS BINARY)" : "?";
    sql += (typeof operand === "object" ? operand.sql : placeholder) + texts[index + 1]!;
    if (typeof operand === "object") values.push(...operand.values);
    else values.push(operand);
  }
  return { sql, values };
}

/** Joins the fragments to one, with the text between them. */
export function joined(fragments: readonly Fragment[], between: string): Fragment {
  return {
    sql: fragments.map(({ sql }) => sql).join(between),
    values: fragments.flatMap(({ values }) => values),
  };
}

/** SQL without values. */
export function sqlOf(sql: string): Fragment {
  return { sql, values: [] };
}

/** A value that is sent as it is: `null`, a number, or a text such as JSON, which MySQL does not read from bytes. */
export function plain(value: string | number | null): Fragment {
  return { sql: "?", values: [value] };
}

/** An integer, for a LIMIT or a BIGINT. Sent as a text: the driver sends a number as a DOUBLE, which MySQL refuses in a LIMIT. */
export function integer(value: number): Fragment {
  return plain(String(value));
}

/** The 16 bytes of an id. */
export function uuid(id: string | null): Fragment {
  return { sql: "UNHEX(?)", values: [id && hexOf(id)] };
}

/** Bytes, by their hexadecimal digits. */
export function bytes(digits: string | null): Fragment {
  return { sql: "UNHEX(?)", values: [digits] };
}

export function hexOf(id: string): string {
  return id.replaceAll("-", "");
}

/** A kind of value in a list. */
export type Listed = "id" | "hash" | "token" | "workspace" | "key" | "name" | "number";

const bytesOf = (column: string): string => `CAST(${column} AS BINARY)`;
const unhexed = (column: string): string => `UNHEX(${column})`;

/** The type that JSON_TABLE reads a column as, and the value that is compared with the columns of tables. */
const listedTypes: Readonly<Record<Listed, { type: string; read: (column: string) => string }>> = {
  id: { type: "CHAR(32)", read: unhexed },
  hash: { type: "CHAR(64)", read: unhexed },
  token: { type: "VARCHAR(64) CHARACTER SET utf8mb4", read: bytesOf },
  workspace: { type: "VARCHAR(64) CHARACTER SET utf8mb4", read: bytesOf },
  key: { type: "VARCHAR(100) CHARACTER SET utf8mb4", read: bytesOf },
  name: { type: "VARCHAR(255) CHARACTER SET utf8mb4", read: bytesOf },
  number: { type: "BIGINT", read: (column) => column },
};

/**
 * The list as a table with the name `named`. An item is an array with the values of the columns, or the value of the only column.
 * One placeholder takes the whole list, so that the text of the statement does not depend on its length.
 */
export function named(items: readonly unknown[], columns: Readonly<Record<string, Listed>>): Fragment {
  const entries = Object.entries(columns);
  const read = entries.map(([name, kind]) => `${listedTypes[kind].read(name)} AS ${name}`);
  const path = (index: number): string => (entries.length === 1 ? "$" : `$[${index}]`);
  const listed = entries.map(([name, kind], index) => `${name} ${listedTypes[kind].type} PATH '${path(index)}'`);
  return {
    sql: `(SELECT ${read.join(", ")} FROM JSON_TABLE(?, '$[*]' COLUMNS (${listed.join(", ")})) listed) named`,
    values: [JSON.stringify(items)],
  };
}
