import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server, at most `server.maxConnections`. */
export interface Places {
  /** Connections without a request so far. `closeIdleConnections` of `node:http` does not close them. */
  silent: ReadonlySet<Socket>;
  /** Must be called when a request arrives. */
  asked(socket: Socket): void;
  /** Whether the connection has sent a valid API key. */
  isKnown(socket: Socket): boolean;
  /** Must be called after each answer until the connection is known; `hadKey` if the request had a valid API key. */
  answered(socket: Socket, hadKey: boolean): void;
}

/**
 * Watches the connections of a server. When the last place is taken, closes a connection that was answered and has never
 * sent a valid API key, or else one without a request. Otherwise clients without a key could lock out all others by staying
 * connected.
 */
export function watchPlaces(server: Server): Places {
  const open = new Set<Socket>();
  // In the order in which they came.
  const silent = new Set<Socket>();
  const known = new WeakSet<Socket>();
  // Answered connections without a valid key, in the order of their first answers.
  const strangers = new Set<Socket>();

  function leave(socket: Socket): void {
    for (const sockets of [open, silent, strangers]) sockets.delete(socket);
  }

  /** Frees a place for the next connection: the server would drop it without an answer. */
  function makeRoom(): void {
    if (open.size < server.maxConnections) return;
    const [first] = strangers.size > 0 ? strangers : silent;
    if (!first) return;
    leave(first);
    first.destroy();
  }

  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => leave(socket));
    // Before it is silent itself: the last place is for who has a key.
    makeRoom();
    silent.add(socket);
  });

  return {
    silent,
    asked: (socket) => void silent.delete(socket),
    isKnown: (socket) => known.has(socket),
    answered(socket, hadKey) {
      if (hadKey) {
        strangers.delete(socket);
        known.add(socket);
      } else if (open.has(socket) && !known.has(socket)) {
        strangers.add(socket);
        makeRoom();
      }
    },
  };
}
