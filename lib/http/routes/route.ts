import type { Caller } from "../../changes/read.ts";
import type { ErrorCode } from "../../model/errors.ts";
import type { Scope } from "../../scope.ts";
import type { ApiKeyOwner } from "../../storage/rows.ts";
import type { ErrorBody } from "../answer.ts";
import type { Headers } from "../headers.ts";
import type { SchemaName } from "../openapi/schemas.ts";
import type { QueryTypes } from "../query.ts";
import { ok } from "../statuses.ts";
import { at, type FieldOf, type Line, type RouteName } from "./lines.ts";

export interface Route extends Line {
  name: RouteName;
  /** The query parameters, which all may be left out. */
  query: QueryTypes | "ignored";
  /** The fields from here to `isBatch`, and `name`, describe the route in the OpenAPI document. */
  summary: string;
  /** The schema of the request body. A route without it takes none. */
  input?: SchemaName;
  successes: readonly number[];
  /** The schemas of the fields of a success answer. */
  output: Readonly<Record<string, SchemaName>>;
  /** The error codes of this route alone. The codes for path parameters, a body or an idempotency key are added to them. */
  refusals: readonly ErrorCode[];
  takesIdempotencyKey?: true;
  /** Takes a body of several items, `batchBodyTimes` as large as another body. */
  isBatch?: true;
  run(request: RouteRequest): Promise<Success>;
}

/** The parts of a route that are not in the table. Parts that have a default may be left out. */
type Details<Name extends RouteName> = Pick<Route, "summary" | "input" | "takesIdempotencyKey" | "isBatch"> &
  Partial<Pick<Route, "query" | "successes" | "refusals">> &
  OutputOf<FieldOf<Name>> &
  (Pick<Route, "run"> | { call(request: RouteRequest): Promise<unknown> });

/** The schema of the only field, or the schemas of all fields. */
type OutputOf<Field extends string> = [Field] extends [never]
  ? { output?: never }
  : { output: SchemaName | Readonly<Record<Field, SchemaName>> };

/**
 * Makes a route of a row of the table. `call` resolves with the only field of the answer, or with an object of all fields. A
 * route that chooses its status or headers has `run` instead.
 */
export function route<Name extends RouteName>(name: Name, details: Details<Name>): Route {
  const line = at(name);
  const [field, ...others] = line.fields;
  const toFields = (value: unknown): object =>
    others.length > 0 ? (value as object) : field === undefined ? {} : { [field]: value };
  const { successes = [ok] } = details;
  const [status = ok] = successes;
  return {
    query: {},
    refusals: [],
    ...details,
    ...line,
    name,
    successes,
    output: toFields(details.output) as Route["output"],
    run:
      "run" in details
        ? details.run
        : (request) => details.call(request).then((value) => ({ status, body: toFields(value) })),
  };
}

export interface RouteRequest {
  scope: Scope;
  /** The API key of the call; `null` if the host has admitted it. */
  apiKey: ApiKeyOwner | null;
  /** The decoded parameters of the path, by the names in the table. */
  parameters: Readonly<Record<string, string>>;
  /** The parameters of the query. Converted to their types if possible, not yet validated. */
  query: Readonly<Record<string, unknown>>;
  /** The parsed body; `undefined` for a route that takes none. */
  body: unknown;
  header(name: string): string | null;
  /** The caller, for a route that waits for changes. */
  caller: Caller;
  /** Answers the error of an item of a batch. Reports an unexpected error. */
  refuse(this: void, error: unknown): ItemRefusal;
}

/** The answer to an item of a batch that is refused. */
export interface ItemRefusal {
  status: number;
  body: ErrorBody;
}

export interface Success {
  status: number;
  headers?: Headers;
  /** The fields of the answer, beside `success: true`. */
  body: object;
}
