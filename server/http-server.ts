import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { toListener } from "../adapters/node-http.ts";
import { createUnderWay } from "../adapters/under-way.ts";
import { isBelow, pathOf } from "../lib/http/paths.ts";
import { respondSymbol, type WithRespond } from "../lib/http/respond.ts";
import { statusOf } from "../lib/http/statuses.ts";
import type { Storage } from "../lib/storage/port.ts";
import type { Tracker } from "../lib/tracker.ts";
import { createBeside } from "./beside.ts";
import { boundUnread, continueWhenRead } from "./bodies.ts";
import type { Metrics } from "./metrics.ts";
import { createObserver, type Place } from "./observer.ts";
import { watchPlaces } from "./places.ts";
import { closeServer } from "./stop.ts";

export const basePath = "/api/v1";

const limits = {
  maxHeaderSize: 16 * 1_024,
  /** The time to receive the headers, and the whole request, in ms. After it `node:http` answers 408. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the 60 s that load balancers keep an idle connection, so that they close it first. */
  keepAliveTimeout: 65_000,
};
/** Closes the connection of a client that stops reading its answer. */
const idleTimeoutMs = 70_000;
const connectionsMax = 10_000;

export interface HttpServer {
  server: Server;
  /** Stops accepting connections, answers the requests that have come, and closes. */
  stop(): Promise<void>;
}

/** Serves the API below `/api/v1`, and the paths beside it. Logs errors answered with 500. Does not listen yet. */
export function createHttpServer(tracker: Tracker, storage: Storage, metrics: Metrics | null = null): HttpServer {
  const observe = createObserver(basePath, metrics);
  const observed: Tracker & WithRespond = {
    ...tracker,
    [respondSymbol]: observe((tracker as Tracker & WithRespond)[respondSymbol]),
  };
  const listener = toListener(observed);
  const respondBeside = observe<Place>(createBeside(storage, basePath));
  const underWay = createUnderWay();
  let stopping = false;

  const server = createServer(limits, onRequest);
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    onRequest(request, response);
  });
  // `node:http` would answer other expectations with 417 by itself, past all bounds. RFC 9110 section 10.1.1 lets us ignore them.
  server.on("checkExpectation", onRequest);
  server.maxConnections = connectionsMax;
  server.setTimeout(idleTimeoutMs);
  const places = watchPlaces(server);

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    places.asked(request.socket);
    if (stopping) response.setHeader("Connection", "close");
    boundUnread(request, response);
    const path = pathOf(request.url ?? "/");
    if (isBelow(path, basePath)) {
      return void (places.isKnown(request.socket) ? listener : answerUnknown)(request, response);
    }
    // `toListener` counts the requests of the API itself.
    if (!underWay.begin(request)) return;
    response.once("close", () => {
      underWay.end(request);
      places.answered(request.socket, false);
    });
    const { method = "GET" } = request;
    void respondBeside({ method, path }).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(method === "HEAD" ? "" : body);
    });
  }

  async function answerUnknown(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await listener(request, response);
    places.answered(request.socket, response.headersSent && neededKey(response.statusCode));
  }

  async function stop(): Promise<void> {
    stopping = true;
    await closeServer(server, places);
  }

  return { server, stop };
}

/** Whether this status proves that the request had a valid API key. */
function neededKey(status: number): boolean {
  return status !== statusOf("invalid_api_key") && status < statusOf("internal");
}
