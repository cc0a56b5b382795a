import { issue } from "../model/errors.ts";
import { refuse } from "../input/shapes.ts";
import { isValidlyEncoded } from "./paths.ts";

/** The names and types of a route's query parameters. */
export type QueryTypes = Readonly<Record<string, "text" | "number" | "boolean">>;

/**
 * Reads a query, without its question mark, as an object that a method validates like a body. If a name is repeated, its last
 * value counts. A value that cannot be converted to its type stays text. Throws `invalid_input` for a query that is not validly
 * percent-encoded, and for a route without parameters.
 */
export function readQuery(query: string, types: QueryTypes): Readonly<Record<string, unknown>> {
  if (query === "") return {};
  // `URLSearchParams` would replace bytes that are not UTF-8.
  if (!isValidlyEncoded(query))
    refuse([issue("", "invalid_format", "Must have a query that is validly percent-encoded.")]);
  const sent = Array.from(new URLSearchParams(query));
  if (Object.keys(types).length === 0) refuse(sent.map(([name]) => issue(name, "unknown_field")));
  return Object.fromEntries(sent.map(([name, value]) => [name, toType(value, types[name])]));
}

function toType(value: string, type: QueryTypes[string] | undefined): unknown {
  if (type === "number" && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
