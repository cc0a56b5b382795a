import type { IncomingMessage, ServerResponse } from "node:http";
import { requestsPerConnectionMax } from "../lib/model/limits.ts";

/**
 * Returns `false` for a request above the limit, and destroys its connection without an answer. A request counts until the
 * system has taken its answer, because a client may read nothing.
 */
export type BeginRequest = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Limits the requests of a connection that wait for their answers. `node:http` reads on while they wait, so a client that
 * pipelines (RFC 9112 section 9.3.2) could fill the memory.
 */
export function limitUnderWay(): BeginRequest {
  const connections = new WeakMap<object, { count: number; isCut: boolean }>();
  return ({ socket }, response) => {
    // A request without a socket was made by a framework's adapter, not by `node:http`. An application may have answered already.
    if (!socket || response.closed) return true;
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
    response.once("close", () => connection.count--);
    return true;
  };
}
