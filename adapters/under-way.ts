import type { IncomingMessage, ServerResponse } from "node:http";
import { requestsPerConnectionMax } from "../lib/model/limits.ts";

/**
 * Limits the requests of a connection that wait for their answers. `node:http` reads on while they wait, so a client that
 * pipelines (RFC 9112 section 9.3.2) could fill the memory.
 */
export interface UnderWay {
  /** Returns `false` for a request above the limit, and destroys its connection without an answer. */
  begin(request: IncomingMessage): boolean;
  /** Must be called once after the answer to each request that `begin` accepted. */
  end(request: IncomingMessage, response: ServerResponse): void;
}

export function createUnderWay(): UnderWay {
  const connections = new WeakMap<object, { count: number; isCut: boolean }>();
  return {
    begin({ socket }) {
      // A request without a socket was made by a framework's adapter, not by `node:http`.
      if (!socket) return true;
      let connection = connections.get(socket);
      if (!connection) connections.set(socket, (connection = { count: 0, isCut: false }));
      // The parser still emits the requests that it has read before the connection was destroyed.
      if (connection.isCut) return false;
      if (connection.count === requestsPerConnectionMax) {
        connection.isCut = true;
        socket.destroy();
        return false;
      }
      connection.count++;
      return true;
    },
    end({ socket }, response) {
      const connection = socket && connections.get(socket);
      if (!connection) return;
      // The client may read nothing, so the request counts until the system has taken its answer. Usually that is at once.
      if (response.writableFinished || response.closed) connection.count--;
      else response.once("close", () => connection.count--);
    },
  };
}
