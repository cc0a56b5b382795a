import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, at most `server.maxConnections`. A caller is known after a request with a valid API key. */
export interface Connections {
  open: ReadonlySet<Socket>;
  /** Connections without a request so far. `closeIdleConnections` of `node:http` does not close them. */
  silent: ReadonlySet<Socket>;
  /** Must be called when a request arrives. */
  asked(socket: Socket): void;
  /** Must be called when the API key of a request was accepted. */
  know(socket: Socket): void;
  isKnown(socket: Socket): boolean;
  /** Must be called when an answer has left. Does nothing if the caller is known. */
  answered(socket: Socket): void;
}

/**
 * Follows the connections of a server. When the server is full, closes a connection of an unknown caller. Prefers one that was
 * answered to one that was not, and an older to a newer. Otherwise clients without a key could lock out all others by staying
 * connected, or by requests that they never end.
 */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const known = new WeakSet<Socket>();
  // Connections without an answer, oldest first. `know` removes most callers with a key within milliseconds.
  const unanswered = new Set<Socket>();
  // Answered connections whose caller is not known, in the order of their first answers.
  const strangers = new Set<Socket>();

  function leave(socket: Socket): void {
    for (const sockets of [open, silent, unanswered, strangers]) sockets.delete(socket);
  }

  /** Makes room for the next connection: the server would drop it without an answer. */
  function makeRoom(): void {
    if (open.size < server.maxConnections) return;
    const [first] = strangers.size > 0 ? strangers : unanswered;
    if (!first) return;
    leave(first);
    first.destroy();
  }

  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => leave(socket));
    // First, so that the new connection cannot be the one closed.
    makeRoom();
    silent.add(socket);
    unanswered.add(socket);
  });

  return {
    open,
    silent,
    asked(socket) {
      silent.delete(socket);
      // A connection that waits for an answer counts as unanswered again.
      if (strangers.delete(socket)) unanswered.add(socket);
    },
    know(socket) {
      unanswered.delete(socket);
      strangers.delete(socket);
      known.add(socket);
    },
    isKnown: (socket) => known.has(socket),
    answered(socket) {
      if (!open.has(socket) || known.has(socket)) return;
      unanswered.delete(socket);
      strangers.add(socket);
      makeRoom();
    },
  };
}
