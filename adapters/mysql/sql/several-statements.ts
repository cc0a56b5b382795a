import { severalMaxBytes } from "../limits.ts";
import { sizeOf, toFragment, type Part, type Sequence } from "./sequence.ts";

/** Whether one text can contain the sequence. A LIMIT accepts no text literal, and our statements pass its number as a text. */
export function fitsSeveral({ parts }: Sequence): boolean {
  return sizeOf(parts) <= severalMaxBytes && !parts.some((part) => toFragment(part).sql.includes("LIMIT ?"));
}

/** One text for MySQL that executes the sequence. An error ends the execution, and leaves the transaction open. */
export function severalOf({ name, parts }: Sequence): string {
  return `/* whodid:${name} */ ${parts.map(withLiterals).join(";\n")}`;
}

function withLiterals(part: Part): string {
  const { sql, values } = toFragment(part);
  const [first, ...others] = sql.split("?");
  if (others.length !== values.length) throw new RangeError("The statement has other placeholders than values.");
  return first + others.map((text, index) => literalOf(values[index]!) + text).join("");
}

/**
 * A text is hexadecimal, so no character of it can end the literal, whatever `sql_mode` and character set the session has. JSON
 * functions refuse a text without a character set. A number with a fraction keeps the type DOUBLE.
 */
function literalOf(value: string | number | null): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `_utf8mb4 X'${Buffer.from(value).toString("hex")}'`;
  if (!Number.isFinite(value)) throw new RangeError("No literal exists for this number.");
  return Number.isSafeInteger(value) ? String(value) : value.toExponential();
}
