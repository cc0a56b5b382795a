import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The connections of a server, of which it has room for `maxConnections`. */
export interface Places {
  /** Those that have not asked anything yet: http does not count them among the idle. */
  silent: ReadonlySet<Socket>;
  /** A request has come. */
  asked(socket: Socket): void;
  /** Whether it has sent a key that is known. */
  isKnown(socket: Socket): boolean;
  /** A request of one that is not known was answered; whether it had such a key. */
  answered(socket: Socket, hadKey: boolean): void;
}

/**
 * Watches who takes a place. When the last one is taken, a connection is closed that was answered but never sent a key that is
 * known: clients without a key could otherwise keep all others out by staying connected.
 */
export function watchPlaces(server: Server): Places {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const known = new WeakSet<Socket>();
  // In the order in which they were first answered.
  const strangers = new Set<Socket>();

  function leave(socket: Socket): void {
    for (const sockets of [open, silent, strangers]) sockets.delete(socket);
  }

  /** For the next one to come, which the server would drop without a word. */
  function makeRoom(): void {
    const [first] = strangers;
    if (!first || open.size < server.maxConnections) return;
    leave(first);
    first.destroy();
  }

  server.on("connection", (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => leave(socket));
    makeRoom();
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
