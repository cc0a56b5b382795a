import type { Conflict, Issue, TrackerError } from "../model/errors.ts";
import type { Headers } from "./headers.ts";
import { ok, statusOf } from "./statuses.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Empty for HEAD; the headers are those of the GET answer. */
  body: string | Uint8Array<ArrayBuffer>;
  /** The error behind an error answer, for logs and metrics. */
  thrown?: unknown;
}

/** An answer with a JSON body. */
export function toAnswer(status: number, json: object, headers: Headers = []): Answer {
  const body = JSON.stringify(json);
  const contentLength = String(Buffer.byteLength(body));
  return { status, headers: ["Content-Type", "application/json", "Content-Length", contentLength, ...headers], body };
}

/** An answer with a text of this media type, for an answer that is sent many times. */
export function textAnswer(body: string, type: string): Answer {
  const length = String(Buffer.byteLength(body));
  const headers = ["Content-Type", `${type}; charset=utf-8`, "Content-Length", length];
  return encoded({ status: ok, headers, body });
}

/** Encodes the body, for an answer that is sent many times. `node:http` would encode a text each time. */
export function encoded(answer: Answer): Answer {
  return { ...answer, body: Buffer.from(answer.body) };
}

/** A `TrackerError` of another copy of the package may lack `issues`. */
type AnsweredError = Omit<TrackerError, "issues"> & Partial<Pick<TrackerError, "issues">>;

/** The body of every error answer. */
export interface ErrorBody {
  success: false;
  error: Pick<TrackerError, "code" | "message"> & { issues?: readonly Issue[]; conflict?: Conflict };
}

/** The answer for an error. The code must have an HTTP status. */
export function errorAnswer(error: AnsweredError, headers: Headers = []): Answer {
  return toAnswer(statusOf(error.code), errorBody(error), headers);
}

export function errorBody({ code, message, issues = [], conflict }: AnsweredError): ErrorBody {
  return {
    success: false,
    error: { code, message, ...(issues.length > 0 && { issues }), ...(conflict && { conflict }) },
  };
}
