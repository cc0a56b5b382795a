import type { IncomingMessage, ServerResponse } from "node:http";
import { isUint8Array } from "node:util/types";
import { TrackerError } from "../lib/errors.ts";
import { gatherBody } from "../lib/http/body.ts";
import { pathOf } from "../lib/http/paths.ts";
import {
  respondSymbol,
  unreadableCall,
  type Answer,
  type Body,
  type Call,
  type WithRespond,
} from "../lib/http/respond.ts";
import type { Tracker } from "../lib/tracker.ts";
import { createUnderWay } from "./under-way.ts";

/**
 * Answers a `node:http` request; for Express, Fastify, Koa and all that is built on it. Resolves once it has answered; never
 * rejects.
 *
 * A body that a parser read before is taken from `parsedBody`, else from `request.body`. A function in its place (`next`) is
 * passed over.
 */
export type Listener = (request: IncomingMessage, response: ServerResponse, parsedBody?: unknown) => Promise<void>;

/** The door for `node:http`: it builds no `Request`. Throws a `TypeError` for what `createTracker` did not make. */
export function toListener(tracker: Tracker): Listener {
  const respond = (tracker as Tracker & Partial<WithRespond>)[respondSymbol];
  if (!respond) throw new TypeError("toListener takes a tracker made by createTracker");
  const write = createWriter();
  const underWay = createUnderWay();
  return async (request, response, parsedBody) => {
    if (!underWay.begin(request)) return;
    const answer = await respond(callOf(request, parsedBody));
    await write(response, answer);
    underWay.end(request);
  };
}

function callOf(request: IncomingMessage, parsedBody: unknown): Call {
  try {
    return {
      method: request.method ?? "GET",
      path: pathOf(request.url ?? "/"),
      header: (name) => request.headers[name]?.toString() ?? null,
      body: (maxBodyBytes) => readBody(request, parsedBody, maxBodyBytes),
    };
  } catch (error) {
    return unreadableCall(error);
  }
}

/**
 * Writes the answers that became ready in one turn of the event loop together at its end. Each written by itself would wake its
 * client's process for itself, which costs a busy server more than all that it does for a request.
 */
function createWriter(): (response: ServerResponse, answer: Answer) => Promise<void> {
  let ready: (() => void)[] = [];
  const writeAll = (): void => {
    const writes = ready;
    ready = [];
    for (const write of writes) write();
  };
  return (response, { status, headers, body }) =>
    new Promise((resolve) => {
      const count = ready.push(() => {
        try {
          // Not when somebody else has answered, or the client is gone.
          if (!response.headersSent && !response.destroyed) response.writeHead(status, headers).end(body);
        } catch {
          // Somebody's own writeHead: the other answers must go out all the same.
          response.destroy();
        }
        resolve();
      });
      if (count === 1) setImmediate(writeAll);
    });
}

async function readBody(request: IncomingMessage, parsedBody: unknown, maxBodyBytes: number): Promise<Body> {
  const parsed = isParsed(parsedBody) ? parsedBody : bodyOf(request);
  if (parsed === undefined || (isEmpty(parsed) && !request.readableDidRead)) return readStream(request, maxBodyBytes);
  if (typeof parsed !== "string" && !isUint8Array(parsed)) return { parsed };
  const body = gatherBody(maxBodyBytes);
  body.add(Buffer.from(parsed as string));
  return body.all();
}

/** What a parser left; one that parses only now, as Vercel's does, throws. */
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

/** What parsers leave on a request whose body they declined: Express 4's an empty object, others `null`. */
function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && !ArrayBuffer.isView(value) && Object.keys(value).length === 0;
}

function readStream(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  // Over, and not a byte was read of it: it was empty.
  if (request.readableEnded && !request.readableDidRead) return Promise.resolve(new Uint8Array());
  // Somebody who waits for it to be readable keeps it from flowing to us.
  if (request.readableDidRead || request.destroyed || request.listenerCount("readable") > 0) {
    return Promise.reject(
      unreadable(
        "The body was read before, and what it was parsed to is not in `request.body`: call `listener(request, response, body)`.",
      ),
    );
  }
  return new Promise((resolve, reject) => {
    const body = gatherBody(maxBodyBytes);
    let tooLarge = false;
    request.on("data", (chunk: Buffer | string) => {
      // The rest flows on unread: left in the stream, it would stand before the connection's next request.
      if (tooLarge) return;
      try {
        // A string when somebody has set an encoding.
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
    // Somebody may have paused it.
    request.resume();
  });
}

function unreadable(message: string): TrackerError {
  return new TrackerError("malformed_json", { message });
}
