import type { ReadableStreamDefaultReader } from "node:stream/web";
import { TrackerError } from "../errors.ts";
import { gatherBody } from "./body.ts";
import { pathOf } from "./paths.ts";
import type { Answer, Call } from "./respond.ts";

/** The door for `Request` and `Response`. */
export function createHandler(respond: (call: Call) => Promise<Answer>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, headers, body } = await respond({
      method: request.method,
      path: pathOf(request.url),
      header: (name) => request.headers.get(name),
      body: (maxBodyBytes) => readBody(request, maxBodyBytes),
      request,
    });
    return new Response(body === "" ? null : body, { status, headers: inPairs(headers) });
  };
}

function inPairs(headers: readonly string[]): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, index) => [headers[2 * index]!, headers[2 * index + 1]!]);
}

async function readBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  const body = gatherBody(maxBodyBytes);
  if (request.body === null) return body.all();
  if (request.bodyUsed) throw unreadable("The body was read before; hand over request.clone() instead.");
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  try {
    reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return body.all();
      if (!(value instanceof Uint8Array)) throw new TypeError("not bytes");
      body.add(value);
    }
  } catch (error) {
    void reader?.cancel().catch(() => {});
    // Else the client went away half-way, somebody else is reading, or the stream holds no bytes.
    throw error instanceof TrackerError ? error : unreadable("The body could not be read to its end.");
  }
}

function unreadable(message: string): TrackerError {
  return new TrackerError("malformed_json", { message });
}
