import type { IncomingMessage, ServerResponse } from "node:http";

/** What is still read of a body once its request is answered, and for how long its client may take to read the answer. */
const unreadMaxBytes = 1_024 * 1_024;
const unreadMs = 1_000;

/**
 * Asks for the body only once somebody reads it (RFC 9110 section 10.1.1). After an answer before that http closes the connection:
 * whether the client sends the body after all is not known.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    // Else it is read only to be thrown away.
    if (!response.headersSent) response.writeContinue();
  });
}

/**
 * Keeps a body that is not read to its end from being swallowed whole, as http does: the answer goes out, a little more is read,
 * so that the client comes to read the answer, and the connection is closed. A body that ends by then keeps it open.
 */
export function boundUnread(request: IncomingMessage, response: ServerResponse): void {
  const { "transfer-encoding": encoding, "content-length": length = 0 } = request.headers;
  if (encoding === undefined) {
    if (Number(length) <= unreadMaxBytes) return;
    response.shouldKeepAlive = false;
  }
  const end = response.end.bind(response) as (body?: string) => ServerResponse;
  response.end = ((body: string) => {
    if (request.complete) return end(body);
    // Not `end` yet: http would close the connection at once, or read all of the body.
    if (body === "") response.flushHeaders();
    else response.write(body);
    drain(request, () => {
      const { socket } = request;
      // Not before the answers to what was asked earlier.
      if (!request.complete) response.once("finish", () => socket.destroySoon());
      end();
    });
    return response;
  }) as ServerResponse["end"];
}

/** Calls back once the body is at its end, the client is gone, or the time is over; reads no more than a little until then. */
function drain(request: IncomingMessage, done: () => void): void {
  let left = unreadMaxBytes;
  const finish = (): void => {
    clearTimeout(timer);
    request.off("end", finish).off("close", finish);
    done();
  };
  const timer = setTimeout(finish, unreadMs);
  request.once("end", finish).once("close", finish);
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
}
