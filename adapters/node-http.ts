import type { IncomingMessage, ServerResponse } from "node:http";
import { isUint8Array } from "node:util/types";
import { TrackerError } from "../lib/model/errors.ts";
import type { Answer } from "../lib/http/answer.ts";
import { gatherBody } from "../lib/http/body.ts";
import { pathOf, queryOf } from "../lib/http/paths.ts";
import { respondSymbol, unreadableCall, type Body, type Call, type WithRespond } from "../lib/http/respond.ts";
import type { Tracker } from "../lib/tracker.ts";
import { createUnderWay } from "./under-way.ts";

/**
 * Answers a request of `node:http`, and so of Express, Fastify, Koa and other frameworks on top of it. Resolves after the
 * answer; never rejects.
 *
 * If a body parser has read the request, the listener takes the body from `parsedBody`, or else from `request.body`; a text is parsed
 * as JSON. It ignores a function in place of `parsedBody`, such as Express's `next`. Where a parser left `{}` or `null` and did not
 * read, the listener reads.
 */
export type Listener = (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void>;

/** Makes a listener for `node:http`. Throws a `TypeError` unless `createTracker`, `dashboard` or `visitors` made the argument. */
export function toListener(mounted: Pick<Tracker, "handle">): Listener {
  if (!(respondSymbol in mounted))
    throw new TypeError("toListener takes what createTracker, dashboard or visitors made");
  const answer = answerWith(mounted as WithRespond, []);
  const isAccepted = createUnderWay();
  return async (request, response, parsedBody) => {
    if (isAccepted(request, response)) await answer(request, response, parsedBody);
  };
}

/**
 * A listener without the limit of requests that wait. The signals end calls that wait, beside the end of their connection. Once one is
 * aborted, answers are written only at the end of their turn.
 */
export function answerWith({ [respondSymbol]: respond }: WithRespond, ends: AbortSignal[]): Listener {
  const write = createWriter(ends);
  return (request, response, parsedBody) =>
    new Promise((resolve) => {
      const call = callOf(request, response, parsedBody, ends);
      void respond(call).then((answer) => write(response, answer, resolve));
    });
}

function callOf(request: IncomingMessage, response: ServerResponse, parsedBody: unknown, ends: AbortSignal[]): Call {
  try {
    const target = request.url ?? "/";
    return {
      method: request.method ?? "GET",
      path: pathOf(target),
      query: queryOf(target),
      header(name) {
        // A parser that has read the body has decoded it.
        if (name === "content-encoding" && request.readableDidRead) return null;
        return request.headers[name]?.toString() ?? null;
      },
      body: (maxBodyBytes) => readBody(request, parsedBody, maxBodyBytes),
      signals: () => [signalOfClose(response), ...ends],
      incoming: request,
    };
  } catch (error) {
    return unreadableCall(error);
  }
}

function signalOfClose(response: ServerResponse): AbortSignal {
  const closing = new AbortController();
  if (response.destroyed) closing.abort();
  else response.once("close", () => closing.abort());
  return closing.signal;
}

/** With all answers of a turn, 64 to 256 clients cost an eighth more: what belongs to their requests leaves the processor's cache. */
const answersPerWrite = 16;

/**
 * Collects answers of one turn of the event loop, and writes them together, at the latest at its end. Written one by one, each answer
 * would wake its client's process, which costs a busy server more than the rest of the request.
 */
function createWriter(ends: readonly AbortSignal[]): Write {
  let ready: Parameters<Write>[] = [];
  const writeAll = (): void => {
    const writes = ready;
    ready = [];
    for (const [response, answer, written] of writes) {
      try {
        // Skipped if the application has answered already, or if the client has disconnected.
        if (!response.headersSent && !response.destroyed) writeAnswer(response, answer);
      } catch {
        // The application may have replaced `writeHead` by a function that throws. The other answers must still be written.
        response.destroy();
      }
      written();
    }
  };
  return (...write) => {
    const count = ready.push(write);
    if (count === 1) setImmediate(writeAll);
    // A server that stops closes a connection with its last answer. It must not leave before the requests behind it have come.
    else if (count === answersPerWrite && !ends.some(({ aborted }) => aborted)) writeAll();
  };
}

type Write = (response: ServerResponse, answer: Answer, written: () => void) => void;

/** Writes the headers and the body as one part. `end(body)` would write a second, empty one, which costs a tenth of a request. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).cork();
  if (body.length > 0) response.write(body);
  response.uncork();
  response.end();
}

function readBody(request: IncomingMessage, parsedBody: unknown, maxBodyBytes: number): Promise<Body> {
  const parsed = isParsed(parsedBody) ? parsedBody : bodyOf(request);
  if (parsed === undefined || (isEmpty(parsed) && !request.readableDidRead)) return readStream(request, maxBodyBytes);
  if (typeof parsed !== "string" && !isUint8Array(parsed)) return Promise.resolve({ parsed });
  const body = gatherBody(maxBodyBytes);
  body.add(Buffer.from(parsed as string));
  return Promise.resolve(body.all());
}

/** The body that a parser left in `request.body`. Vercel's parser runs only now, and throws for an invalid body. */
function bodyOf(request: IncomingMessage): unknown {
  try {
    return (request as { body?: unknown }).body;
  } catch {
    throw unreadable("The parser before the listener could not parse the body.");
  }
}

function isParsed(parsedBody: unknown): boolean {
  return parsedBody !== undefined && typeof parsedBody !== "function";
}

/** Parsers leave an empty body if they did not read the request: Express 4 an empty object, others `null`. */
function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && !ArrayBuffer.isView(value) && Object.keys(value).length === 0;
}

function readStream(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  // The stream has ended without a byte being read: the body was empty.
  if (request.readableEnded && !request.readableDidRead) return Promise.resolve(new Uint8Array());
  // A listener for "readable" keeps the stream paused, so no "data" event would come.
  if (request.readableDidRead || request.destroyed || request.listenerCount("readable") > 0) {
    throw unreadable(
      "The body was read before, and what it was parsed to is not in `request.body`: call `listener(request, response, body)`.",
    );
  }
  return new Promise((resolve, reject) => {
    const body = gatherBody(maxBodyBytes);
    let tooLarge = false;
    request.on("data", (chunk: Buffer | string) => {
      // Discards the rest of the body. If it stayed in the stream, the rest would block the next request of the connection.
      if (tooLarge) return;
      try {
        // The chunk is a string if the application has called `setEncoding`.
        body.add(typeof chunk === "string" ? Buffer.from(chunk, request.readableEncoding ?? "utf8") : chunk);
      } catch (error) {
        tooLarge = true;
        reject(error as TrackerError);
      }
    });
    request.on("end", () => resolve(body.all()));
    request.on("close", () => {
      if (!request.readableEnded) reject(unreadable("The body ended before its end."));
    });
    // The application may have paused the stream.
    request.resume();
  });
}

function unreadable(message: string): TrackerError {
  return new TrackerError("malformed_json", { message });
}
