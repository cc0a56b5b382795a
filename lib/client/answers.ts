import {
  errorMessages,
  isTrackerError,
  TrackerError,
  type Conflict,
  type ErrorCode,
  type Issue,
} from "../model/errors.ts";
import { lineOf } from "../http/routes/lines.ts";
import type { Row } from "../http/routes/table.ts";
import { answerMaxBytes } from "../model/limits.ts";
import { retryAfterSecondsOf, type Failure } from "./retries.ts";

/** An answer that is a success. */
export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

export const ok = 200;
export const created = 201;

/** The statuses of a proxy that got no answer itself. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** The codes of statuses that mean the same from a proxy as from the server. */
const proxyCodes: Readonly<Partial<Record<number, ErrorCode>>> = { 413: "body_too_large", 429: "rate_limited" };

const checkUrl =
  "The url must end with the base path of the API, which is the path before /contacts, as in https://whodid.internal/api/v1.";

/** Reads the answer to a request. An answer that lacks one of these fields is no success. */
export function read(
  { ok: isOk, status, headers }: Response,
  text: string,
  fields: readonly string[] = [],
): Reply | Failure {
  const body = parse(text);
  if (isOk && isSuccess(body, fields)) return { status, body, headers };
  const retryAfterSeconds = retryAfterSecondsOf(headers);
  const told = body?.["success"] === false ? errorOf(body["error"], retryAfterSeconds) : null;
  // The client requests only routes of the API, so the url is wrong.
  const isElsewhere = told?.code === "route_not_found";
  const error = isElsewhere
    ? new TrackerError("route_not_found", { message: `${told.message} ${checkUrl}` })
    : (told ?? foreign(status, isOk, retryAfterSeconds));
  return { error };
}

/** Whether the body of an answer, or of one item of a batch, is a success with these fields, which may lack the optional ones. */
export function isSuccess(
  body: Record<string, unknown> | null | undefined,
  fields: readonly string[],
): body is Record<string, unknown> {
  return body?.["success"] === true && fields.every((field) => field.endsWith("?") || isOfType(field, body[field]));
}

/** A field has the same type in all answers. */
function isOfType(field: string, value: unknown): boolean {
  const isObject = typeof value === "object" && !Array.isArray(value);
  switch (field) {
    case "items":
    case "completedChecklistItems":
      return Array.isArray(value);
    case "count":
    case "total":
      return typeof value === "number";
    case "key":
    case "cursor":
    case "workspace":
    case "secret":
    case "id":
    case "createdAt":
      return typeof value === "string";
    case "nextCursor":
    case "endsAt":
      return value === null || typeof value === "string";
    case "backlog":
    case "apiKey":
      return isObject;
    default:
      return isObject && value !== null;
  }
}

/** Reads the error in an answer, or in one item of a batch; `null` if the value is not an error. */
export function errorOf(value: unknown, retryAfterSeconds?: number): TrackerError | null {
  const { code, message, issues, conflict } = Object(value) as Record<string, unknown>;
  if (typeof code !== "string") return null;
  // A newer server may have codes that this version does not know.
  return new TrackerError(Object.hasOwn(errorMessages, code) ? (code as ErrorCode) : "internal", {
    message: typeof message === "string" ? message : undefined,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    conflict: Array.isArray(Object(conflict)["contacts"]) ? (conflict as Conflict) : undefined,
    retryAfterSeconds,
  });
}

function isIssue(value: unknown): value is Issue {
  const { path, code, message } = Object(value) as Record<string, unknown>;
  return [path, code, message].every((text) => typeof text === "string");
}

/** The error for an answer that is not whodid's. If its status is a success, the outcome of the call is unknown. */
export function foreign(status: number, isSuccessful: boolean, retryAfterSeconds?: number): TrackerError {
  const message = `Something else than whodid answered, with status ${status}. ${checkUrl}`;
  const isLost = isSuccessful || gatewayStatuses.includes(status);
  const code = isLost ? "storage_unavailable" : (proxyCodes[status] ?? "internal");
  return new TrackerError(code, { message, retryAfterSeconds });
}

/** The text of an answer; `null` if it is too large. The rest of it is not read then. */
export async function textOf({ body }: Response): Promise<string | null> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > answerMaxBytes) {
      // Not awaited: whether the other side notices does not matter.
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The failure for an answer that is too large. A retry would get the same answer. */
export function tooLarge(): Failure {
  const message = `The answer is larger than ${answerMaxBytes} bytes; whether a write happened is not known.`;
  return { error: new TrackerError("storage_unavailable", { message }), isFinal: true };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** The result of a route's method: the only field of the answer, or all fields. `undefined` for an answer without fields. */
export function resultOf(reply: Reply, row: Row): unknown {
  const { success: _, ...body } = reply.body;
  const [field, ...others] = lineOf(row).fields;
  return others.length > 0 ? body : field && body[field];
}

/** Resolves with `null` if the contact was not found. */
export async function unlessNotFound(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (isTrackerError(error) && error.code === "contact_not_found") return null;
    throw error;
  });
}
