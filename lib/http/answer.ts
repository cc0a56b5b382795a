import { nextTurn } from "../bulk/turns.ts";
import { TrackerError, type Conflict, type Issue } from "../model/errors.ts";
import { jsonPerTurnBytes } from "../model/limits.ts";
import { allow, type Headers } from "./headers.ts";
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
  return jsonAnswer(status, JSON.stringify(json), headers);
}

function jsonAnswer(status: number, body: Answer["body"], headers: Headers): Answer {
  const contentLength = String(Buffer.byteLength(body));
  return { status, headers: ["Content-Type", "application/json", "Content-Length", contentLength, ...headers], body };
}

/**
 * An answer with a JSON body that may have long lists. A body above `jsonPerTurnBytes` is made in parts of that size, and other work
 * runs after each. Then the function returns a promise.
 */
export function answerInTurns(status: number, json: object, headers: Headers): Answer | Promise<Answer> {
  if (!("items" in json) && !("export" in json)) return toAnswer(status, json, headers);
  const parts = partsOf(json);
  const text = nextText(parts);
  return text.length < jsonPerTurnBytes
    ? jsonAnswer(status, text, headers)
    : encodeInTurns(parts, text).then((body) => jsonAnswer(status, body, headers));
}

async function encodeInTurns(parts: Iterator<string>, first: string): Promise<Buffer<ArrayBuffer>> {
  const buffers: Buffer[] = [];
  for (let text = first; text !== ""; text = nextText(parts)) {
    buffers.push(Buffer.from(text));
    await nextTurn();
  }
  return Buffer.concat(buffers);
}

/** Joins the next parts, until they have `jsonPerTurnBytes` or there are no more. */
function nextText(parts: Iterator<string>): string {
  let text = "";
  while (text.length < jsonPerTurnBytes) {
    const { value, done } = parts.next();
    if (done) break;
    text += value;
  }
  return text;
}

/** Yields the JSON of an object in parts. Each item of a list is a part, also in the objects that the object contains. */
function* partsOf(json: object): Generator<string, void, undefined> {
  let before = "{";
  for (const [key, value] of Object.entries(json) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (Array.isArray(value)) {
      yield "[";
      for (const [index, item] of value.entries()) yield (index > 0 ? "," : "") + JSON.stringify(item);
      yield "]";
    } else if (typeof value === "object" && value !== null) yield* partsOf(value);
    else yield JSON.stringify(value);
  }
  yield before === "{" ? "{}" : "}";
}

/** An answer with a text of this media type. It is encoded once, to be sent many times. */
export function textAnswer(body: string, type: string): Answer {
  const length = String(Buffer.byteLength(body));
  const headers = ["Content-Type", `${type}; charset=utf-8`, "Content-Length", length];
  return encoded({ status: ok, headers, body });
}

/** Adds the headers, and `no-store` unless the answer says how to cache it. The answer to HEAD has no body. */
export function sealed({ method }: { method: string }, { headers, body, ...answer }: Answer, added: Headers): Answer {
  const caching = headers.includes("Cache-Control") ? [] : ["Cache-Control", "no-store"];
  return { ...answer, headers: headers.concat(added, caching), body: method === "HEAD" ? "" : body };
}

/** The answer 405, for a path that takes these methods. */
export function notAllowed(methods: readonly string[]): Answer {
  return errorAnswer(new TrackerError("method_not_allowed"), allow(methods));
}

/** Encodes the body of an answer that is sent many times. `node:http` would encode a text each time. */
export function encoded(answer: Answer): Answer {
  return { ...answer, body: Buffer.from(answer.body) };
}

/** A `TrackerError`. One of another copy of the package may lack `issues`. */
interface AnsweredError extends Pick<TrackerError, "code" | "message">, Partial<Pick<TrackerError, "issues">> {
  conflict?: Conflict | null;
}

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
