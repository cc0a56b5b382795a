import type { Caller } from "../../changes/read.ts";
import type { ErrorCode } from "../../model/errors.ts";
import type { Scope } from "../../scope.ts";
import type { ApiKeyOwner } from "../../storage/rows.ts";
import type { ErrorBody } from "../answer.ts";
import type { Headers } from "../headers.ts";
import type { SchemaName } from "../openapi/schemas.ts";
import type { QueryTypes } from "../query.ts";
import type { Line } from "./table.ts";

export interface Route extends Line {
  /** The query parameters, which all may be left out. A route without this field ignores its query. */
  query?: QueryTypes;
  /** This field and those below describe the route in the OpenAPI document, the `name` too. */
  summary: string;
  /** The schema of the request body. A route without it takes none. */
  input?: SchemaName;
  successes: readonly number[];
  /** The fields of a success answer, beside `success: true`. */
  output: Readonly<Record<string, SchemaName>>;
  /** The codes of this route alone; those for its path parameters, body or idempotency key are added to them. */
  refusals: readonly ErrorCode[];
  takesIdempotencyKey?: true;
  /** Takes a body of several items, `batchBodyTimes` as large as another. */
  isBatch?: true;
  run(request: RouteRequest): Promise<Success>;
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
  /** For a route that waits. */
  caller: Caller;
  /** Answers the error of an item of a batch. Reports one that is unexpected. */
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
