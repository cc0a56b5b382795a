import { TrackerError, type Conflict, type ErrorCode, type Issue } from "../errors.ts";
import { gatewayStatuses, statusOf } from "../http/statuses.ts";
import { retryAfterMsOf } from "./waiting.ts";

/** A success. */
export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** A failed try: the error, whether the request may have taken effect, and how long the server asks to wait. */
export interface Failure {
  error: unknown;
  isFinal: boolean;
  mayHaveHappened: boolean;
  retryAfterMs: number;
}

/** The codes whose statuses a proxy answers in place of the server. */
const proxyCodes: readonly ErrorCode[] = ["body_too_large", "rate_limited"];

/** What the answer to a request says. */
export function read({ ok, status, headers }: Response, text: string): Reply | Failure {
  const body = parse(text);
  if (ok && body?.["success"] === true) return { status, body, headers };
  const told = body?.["success"] === false ? errorOf(body["error"]) : null;
  const error = told ?? foreign(status, ok);
  const mayHaveHappened = error.code === "storage_unavailable";
  const isFinal = !mayHaveHappened && error.code !== "rate_limited";
  return { error, isFinal, mayHaveHappened, retryAfterMs: retryAfterMsOf(headers) };
}

/** The error that an answer tells, also that of one item of a batch; `null` for what is none. */
export function errorOf(value: unknown): TrackerError | null {
  const { code, ...details } = Object(value) as {
    code?: ErrorCode;
    message?: string;
    issues?: Issue[];
    conflict?: Conflict;
  };
  return typeof code === "string" ? new TrackerError(code, details) : null;
}

/** The error of an answer that is none of whodid's, such as a proxy's page. A success that was cut off is a lost answer. */
export function foreign(status: number, isSuccess: boolean): TrackerError {
  const message = `Something else than whodid answered, with status ${status}; is it the URL of the API?`;
  const isLost = isSuccess || gatewayStatuses.includes(status);
  const code = proxyCodes.find((proxyCode) => statusOf(proxyCode) === status) ?? "internal";
  return new TrackerError(isLost ? "storage_unavailable" : code, { message });
}

/** The error of a request without an answer. */
export function unanswered(cause: unknown): TrackerError {
  return new TrackerError("storage_unavailable", {
    message: "The server did not answer; whether a write happened is not known.",
    cause,
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
