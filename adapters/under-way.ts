import type { IncomingMessage, ServerResponse } from "node:http";
import { requestsPerConnectionMax } from "../lib/model/limits.ts";

/**
 * Limits the requests of a connection that wait for their answers. `node:http` reads on while they wait, so a client that
 * pipelines (RFC 9112 section 9.3.2) could fill the memory. The function must be called when a request arrives. It returns `false`
 * for a request above the limit, and destroys its connection without an answer.
 */
export function createUnderWay(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const connections = new WeakMap<object, { count: number; isCut: boolean }>();
  return ({ socket }, response) => {
    // A request without a socket was made by a framework's adapter, not by `node:http`.
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
    // The client may read nothing, so the request counts until the system has taken its answer.
    response.once("close", () => connection.count--);
    return true;
  };
}
