import type { Access } from "../../model/declarations.ts";
import * as table from "./table.ts";
import type { Method, Row } from "./table.ts";

export type RouteName = keyof typeof table;

/** The names of the fields in a route's answer. */
export type FieldOf<Name extends RouteName> = (typeof table)[Name] extends readonly [
  unknown,
  ...infer Fields extends readonly string[],
]
  ? Fields[number]
  : never;

/** A row of the table of routes, split into its parts. */
export interface Line {
  method: Method;
  /** Relative to the base path, in itty-router's syntax. */
  path: string;
  /** The access that the API key needs. */
  access: Access;
  /** The fields of a success answer, beside `success: true`. The name of an optional field ends in `?`. */
  fields: readonly string[];
}

export function lineOf([request, ...fields]: Row): Line {
  const [method, path, access] = request.split(" ") as [Method, string, Access];
  return { method, path, access, fields };
}

/** The row of the route with this name. */
export function at(name: RouteName): Line {
  const rows: Readonly<Record<RouteName, Row>> = table;
  return lineOf(rows[name]);
}
