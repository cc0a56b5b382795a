import { connect, type Socket } from "node:net";
import { socketEndMs } from "../limits.ts";
import type { Host } from "./hosts.ts";

/** The argument that mysql2 passes to its option `stream`. */
export interface StreamOptions {
  config: { host: string; port: number; socketPath?: string; enableKeepAlive: boolean; keepAliveInitialDelay?: number };
}

/** The sockets of one pool. */
export interface Sockets {
  /** Opens a socket in the same way as mysql2: to this one of several hosts, or to the one that is in use. */
  open(this: void, options: StreamOptions, host?: Host | null): Socket;
  /** Destroys all that lead to the host. Whoever waits for an answer of it gets ETIMEDOUT. */
  abandon(host: Host): void;
  /** How many there are. */
  count(): number;
  /** Resolves once all are closed; those that do not close within `socketEndMs` are destroyed. */
  ended(): Promise<void>;
}

/**
 * With several hosts, `current` says which one a new socket leads to. mysql2's `end` and `destroy` wait until the server closes the
 * socket too. A frozen server never does.
 */
export function createSockets(current: () => Host | null): Sockets {
  const sockets = new Map<Socket, Host | null>();
  return {
    open({ config }, host = current()) {
      const { host: name, port: number } = host ?? config;
      // By this name the server's certificate is checked.
      Object.assign(config, { host: name, port: number });
      const { socketPath, enableKeepAlive, keepAliveInitialDelay } = config;
      const socket = socketPath ? connect(socketPath) : connect(number, name);
      sockets.set(
        socket.once("close", () => sockets.delete(socket)),
        host,
      );
      return socket.setNoDelay(true).setKeepAlive(enableKeepAlive, keepAliveInitialDelay);
    },
    abandon(host) {
      for (const [socket, other] of sockets) {
        if (other === host) socket.destroy(Object.assign(new Error("The host is silent."), { code: "ETIMEDOUT" }));
      }
    },
    count: () => sockets.size,
    async ended() {
      const closed = [...sockets.keys()].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      const destroyAll = (): void => sockets.forEach((_, socket) => socket.destroy());
      const timer = setTimeout(destroyAll, socketEndMs);
      await Promise.all(closed);
      clearTimeout(timer);
    },
  };
}
