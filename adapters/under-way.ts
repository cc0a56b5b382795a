import type { IncomingMessage } from "node:http";
import { requestsPerConnectionMax } from "../lib/limits.ts";

/**
 * Bounds the requests of a connection that have no answer yet: `node:http` reads on while they wait, so that a client which
 * pipelines (RFC 9112 section 9.3.2) would fill the memory.
 */
export interface UnderWay {
  /** False for a request that is one too many, or comes behind it: its connection is destroyed, and it goes unanswered. */
  begin(request: IncomingMessage): boolean;
  /** Once for each request that was begun. */
  end(request: IncomingMessage): void;
}

export function createUnderWay(): UnderWay {
  const connections = new WeakMap<object, { count: number; isCut: boolean }>();
  return {
    begin({ socket }) {
      // Of a request that some adapter made of something else.
      if (!socket) return true;
      let connection = connections.get(socket);
      if (!connection) connections.set(socket, (connection = { count: 0, isCut: false }));
      // The parser goes on to the end of what has been read.
      if (connection.isCut) return false;
      if (connection.count === requestsPerConnectionMax) {
        connection.isCut = true;
        socket.destroy();
        return false;
      }
      connection.count++;
      return true;
    },
    end({ socket }) {
      const connection = connections.get(socket);
      if (connection) connection.count--;
    },
  };
}
