import type { ReadableStreamDefaultReader } from "node:stream/web";
import { isUint8Array } from "node:util/types";
import { TrackerError } from "../model/errors.ts";
import type { Answer } from "./answer.ts";
import { gatherBody } from "./body.ts";
import { pathOf, queryOf } from "./paths.ts";
import { unreadableCall, type Call } from "./respond.ts";

/** Adapts the responder to Fetch API `Request` and `Response`. Never rejects. */
export function createHandler(respond: (call: Call) => Promise<Answer>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await respond(callOf(request));
    return new Response(body === "" ? null : body, { status, headers: inPairs(headers) });
  };
}

function callOf(request: Request): Call {
  try {
    return {
      method: request.method,
      path: pathOf(request.url),
      query: queryOf(request.url),
      header: (name) => request.headers.get(name),
      body: (maxBodyBytes) => readBody(request, maxBodyBytes),
      signals: () => [request.signal],
      request,
    };
  } catch (error) {
    // The argument is not a Request. The caller learns of it through `onError`.
    return { ...unreadableCall(error), request };
  }
}

function inPairs(headers: readonly string[]): [string, string][] {
  // Names and values alternate.
  return Array.from({ length: headers.length / 2 }, (_, index) => [headers[2 * index]!, headers[2 * index + 1]!]);
}

async function readBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  const body = gatherBody(maxBodyBytes);
  let signal: AbortSignal | null | undefined;
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  const cancel = (): void => void (async () => reader?.cancel())().catch(() => {});
  try {
    if (request.body === null) return body.all();
    if (request.bodyUsed) throw unreadable("The body was read before; hand over request.clone() instead.");
    reader = request.body.getReader();
    // The body stream of an aborted request may never end.
    signal = request.signal as AbortSignal | null | undefined;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", cancel);
    for (;;) {
      const { done, value } = await reader.read();
      // A cancelled stream also reports `done`.
      signal?.throwIfAborted();
      if (done) return body.all();
      if (!isUint8Array(value)) throw new TypeError("not bytes");
      body.add(value);
    }
  } catch (error) {
    cancel();
    // Any other error means that the client disconnected, that the stream is locked, or that its chunks are not bytes.
    throw error instanceof TrackerError ? error : unreadable("The body could not be read to its end.");
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

function unreadable(message: string): TrackerError {
  return new TrackerError("malformed_json", { message });
}
