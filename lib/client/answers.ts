import {
  errorMessages,
  isTrackerError,
  TrackerError,
  type Conflict,
  type ErrorCode,
  type Issue,
} from "../model/errors.ts";
import { gatewayStatuses, statusOf } from "../http/statuses.ts";
import { answerMaxBytes } from "../model/limits.ts";
import { retryAfterSecondsOf, type Failure } from "./retries.ts";

/** A success. */
export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Codes whose HTTP status means the same if a proxy in front of the server sends it. */
const proxyCodes: readonly ErrorCode[] = ["body_too_large", "rate_limited"];

const checkUrl =
  "The url must end with the base path of the API, which is the path before /contacts, as in https://whodid.internal/api/v1.";

/** Reads the answer to a request. A success has these fields. */
export function read({ ok, status, headers }: Response, text: string, fields: readonly string[] = []): Reply | Failure {
  const body = parse(text);
  if (ok && isSuccess(body, fields)) return { status, body, headers };
  const retryAfterSeconds = retryAfterSecondsOf(headers);
  const told = body?.["success"] === false ? errorOf(body["error"], retryAfterSeconds) : null;
  // The client asks for no other routes than those of the API.
  const isElsewhere = told?.code === "route_not_found";
  const error = isElsewhere
    ? new TrackerError("route_not_found", { message: `${told.message} ${checkUrl}` })
    : (told ?? foreign(status, ok, retryAfterSeconds));
  return { error };
}

/** Whether the body of an answer, or of one item of a batch, is a success with these fields. */
export function isSuccess(
  body: Record<string, unknown> | null | undefined,
  fields: readonly string[],
): body is Record<string, unknown> {
  return body?.["success"] === true && fields.every((field) => isOfType(field, body[field]));
}

/** A field has the same type in all answers. */
function isOfType(field: string, value: unknown): boolean {
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
      return typeof value === "string";
    case "backlog":
      return typeof value === "object" && !Array.isArray(value);
    case "nextCursor":
      return value === null || typeof value === "string";
    case "apiKey":
      return typeof value === "object";
    default:
      return typeof value === "object" && value !== null && !Array.isArray(value);
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
  const code = proxyCodes.find((proxyCode) => statusOf(proxyCode) === status) ?? "internal";
  return new TrackerError(isLost ? "storage_unavailable" : code, { message, retryAfterSeconds });
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

/** The fields of an answer, without the one that only says that it is a success. */
export function withoutSuccess(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== "success"));
}

/** Resolves with `null` if the contact was not found. */
export async function unlessNotFound(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (isTrackerError(error) && error.code === "contact_not_found") return null;
    throw error;
  });
}
