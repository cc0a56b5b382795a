import type { IncomingMessage, ServerResponse } from "node:http";

/** The limits after an answer: bytes of an unread body that the server still reads, and time for the client to read the answer. */
const unreadMaxBytes = 1_024 * 1_024;
const unreadMs = 1_000;
/** Added to the size of every chunk: the parser takes as long for a chunk of one byte as for one of a thousand. */
const chunkBytes = 1_024;

/**
 * Sends `100 Continue` only when the body is read (RFC 9110 section 10.1.1). If the answer comes before that, `node:http`
 * closes the connection, because the client may or may not send the body.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    // After the answer, the body is only read to be discarded.
    if (!response.headersSent) response.writeContinue();
  });
}

/**
 * Limits how much of an unread body is read after the answer; `node:http` would read all of it. The limits give the client time
 * to read the answer. Then closes the connection, unless the body has ended.
 */
export function boundUnread(request: IncomingMessage, response: ServerResponse): void {
  const { "transfer-encoding": encoding, "content-length": length = 0 } = request.headers;
  if (encoding === undefined) {
    if (Number(length) <= unreadMaxBytes) return;
    response.shouldKeepAlive = false;
  }
  const end = response.end.bind(response) as () => ServerResponse;
  response.end = (() => {
    if (request.complete) return end();
    // Calling `end` now would make `node:http` close the connection at once, or read all of the body.
    response.flushHeaders();
    drain(request, () => {
      const { socket } = request;
      // Earlier requests of this connection must get their answers first.
      if (!request.complete) response.once("finish", () => socket.destroySoon());
      end();
    });
    return response;
  }) as ServerResponse["end"];
}

/**
 * Calls `done` when the body has ended, the client has disconnected or the time is over. Reads at most `unreadMaxBytes`, and the
 * rest of what the socket received with the last byte.
 */
function drain(request: IncomingMessage, done: () => void): void {
  let left = unreadMaxBytes;
  const finish = (): void => {
    clearTimeout(timer);
    request.off("end", finish).off("close", finish);
    done();
  };
  const timer = setTimeout(finish, unreadMs);
  request.once("end", finish).once("close", finish);
  const stop = (): void => {
    request.pause();
    request.socket.pause();
  };
  request.on("data", (chunk: Buffer) => {
    if (left < 0) return;
    left -= chunk.length + chunkBytes;
    // Pausing at once would leave the chunks that came with this one in the stream, at 300 bytes each.
    if (left < 0) setImmediate(stop);
  });
}
