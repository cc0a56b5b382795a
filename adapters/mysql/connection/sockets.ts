import { connect, type Socket } from "node:net";
import { socketEndMs } from "../limits.ts";
import type { Host } from "./hosts.ts";

/** The argument that mysql2 passes to its option `stream`. */
interface StreamOptions {
  config: { host: string; port: number; socketPath?: string; enableKeepAlive: boolean; keepAliveInitialDelay?: number };
}

/** The sockets of one pool. */
export interface Sockets {
  /** Opens a socket in the same way as mysql2. */
  open(options: StreamOptions): Socket;
  /** How many there are. */
  count(): number;
  /** Resolves once all are closed; those that do not close within `socketEndMs` are destroyed. */
  ended(): Promise<void>;
}

/**
 * With several hosts, `host` says which one a new socket leads to. mysql2's `end` and `destroy` wait until the server closes the
 * socket too. A frozen server never does.
 */
export function createSockets(host: () => Host | null): Sockets {
  const sockets = new Set<Socket>();
  return {
    open({ config }) {
      const { host: name, port: number } = host() ?? config;
      // By this name the server's certificate is checked.
      Object.assign(config, { host: name, port: number });
      const { socketPath, enableKeepAlive, keepAliveInitialDelay } = config;
      const socket = socketPath ? connect(socketPath) : connect(number, name);
      sockets.add(socket.once("close", () => sockets.delete(socket)));
      return socket.setNoDelay(true).setKeepAlive(enableKeepAlive, keepAliveInitialDelay);
    },
    count: () => sockets.size,
    async ended() {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      const destroyAll = (): void => sockets.forEach((socket) => socket.destroy());
      const timer = setTimeout(destroyAll, socketEndMs);
      await Promise.all(closed);
      clearTimeout(timer);
    },
  };
}
