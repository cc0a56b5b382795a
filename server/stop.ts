import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Connections } from "./connections.ts";

/** How long a stop waits for requests that the network still delivers, and for running requests. */
const quietMs = 250;
const stopMs = 8_000;

/** Stops a server, and loses no answer. */
export interface Stop {
  /** Must be called when a request arrives. */
  asked(request: IncomingMessage, response: ServerResponse): void;
  /** Must be called when the answer has left. */
  answered(request: IncomingMessage, response: ServerResponse): void;
  /** Stops accepting connections, waits until the requests that have come are answered, and closes. */
  stop(): Promise<void>;
}

export function createStop(server: Server, { open, silent }: Connections): Stop {
  // The last response of a connection, until it is sent. Weak, as a response behind others never closes if its client disconnects.
  const unanswered = new WeakMap<Socket, ServerResponse>();
  let isStopping = false;

  function asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const earlier = unanswered.get(socket);
    unanswered.set(socket, response);
    if (!isStopping) return;
    // After an answer with this header, `node:http` answers no other request of the connection.
    if (earlier?.headersSent === false) earlier.removeHeader("Connection");
    response.setHeader("Connection", "close");
  }

  function answered({ socket }: IncomingMessage, response: ServerResponse): void {
    if (unanswered.get(socket) === response) unanswered.delete(socket);
  }

  async function closeIdle(): Promise<void> {
    // The loop may have been blocked. One whole turn reads the requests that clients have sent meanwhile.
    await nextTurn();
    await nextTurn();
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    // `closeIdleConnections` would also close connections whose clients have read only a part of an answer.
    const isSending = [...open].some(({ writableLength }) => writableLength > 0);
    if (!isSending) server.closeIdleConnections();
  }

  async function stop(): Promise<void> {
    isStopping = true;
    for (const socket of open) {
      const response = unanswered.get(socket);
      if (response?.headersSent === false) response.setHeader("Connection", "close");
    }
    // `close` of `node:http` would also close idle connections, whose next request may be on its way.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const deadline = setTimeout(() => server.closeAllConnections(), stopMs);
    const closing = setInterval(() => void closeIdle(), quietMs);
    await closed;
    clearInterval(closing);
    clearTimeout(deadline);
    // Stops the timer with which `node:http` checks its connections.
    server.close();
  }

  return { asked, answered, stop };
}
