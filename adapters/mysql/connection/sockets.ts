import { connect, type Socket } from "node:net";
import { socketEndMs } from "../limits.ts";
import type { Host } from "./hosts.ts";

/** The argument that mysql2 passes to its option `stream`. */
export interface StreamOptions {
  config: { host: string; port: number; socketPath?: string; enableKeepAlive: boolean; keepAliveInitialDelay?: number };
}

/** The sockets of one pool. */
export interface Sockets {
  /** Opens a socket in the same way as mysql2. Without `host`, connects to the current one of several hosts. */
  open(this: void, options: StreamOptions, host?: Host | null): Socket;
  /** Destroys all sockets to the host. Calls that wait for an answer fail with ETIMEDOUT. */
  abandon(host: Host): void;
  /** Returns the number of open sockets. */
  count(): number;
  /** Resolves when all sockets are closed. Destroys those that do not close within `socketEndMs`. */
  ended(): Promise<void>;
}

/**
 * `current` returns the one of several hosts that new sockets connect to. Keeps the sockets to destroy them, because mysql2's `end`
 * and `destroy` wait until the server closes the socket too, and a frozen server never does.
 */
export function createSockets(current: () => Host | null): Sockets {
  const sockets = new Map<Socket, Host | null>();
  return {
    open({ config }, host = current()) {
      const { host: name, port: number } = host ?? config;
      // TLS checks the server's certificate against this name.
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
