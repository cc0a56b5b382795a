import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** The number of requests that begin in one turn of the event loop while connections come: about 1 ms of work. */
const requestsPerTurn = 32;

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Returns a function that begins requests in the order of its calls. libuv accepts one connection a turn of the event loop. So while
 * connections come, only some requests begin in each turn, and the others wait: in long turns new connections would wait for seconds.
 */
export function queueRequests(server: Server, begin: Begin): Begin {
  const queue: Parameters<Begin>[] = [];
  let hasAccepted = false;
  // The number of requests that may still begin in this turn.
  let left = Infinity;

  server.on("connection", () => {
    hasAccepted = true;
    if (left < Infinity) return;
    left = requestsPerTurn;
    setImmediate(beginTurn);
  });

  function beginTurn(): void {
    left = hasAccepted ? requestsPerTurn : Infinity;
    if (hasAccepted) setImmediate(beginTurn);
    hasAccepted = false;
    for (const [request, response] of queue.splice(0, left)) beginOrQueue(request, response);
  }

  function beginOrQueue(request: IncomingMessage, response: ServerResponse): void {
    if (left === 0) return void queue.push([request, response]);
    left--;
    begin(request, response);
  }

  return beginOrQueue;
}
