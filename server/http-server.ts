import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { answerWith, writeAnswer, type Listener } from "../adapters/node-http.ts";
import { createUnderWay } from "../adapters/under-way.ts";
import { isBelow, pathOf } from "../lib/http/paths.ts";
import { respondSymbol, type Respond, type WithRespond } from "../lib/http/respond.ts";
import type { Tracker } from "../lib/tracker.ts";
import { createBeside, isBeside } from "./beside.ts";
import { boundUnread, continueWhenRead } from "./bodies.ts";
import { createStandalone, dashboardPath, dashboardRouteOf } from "./dashboard/standalone.ts";
import { answerDemo, demoPath, demoRouteOf, demoVisitors } from "./demo-page.ts";
import type { Metrics } from "./metrics.ts";
import { createObserver, routesOf, type RequestLine, type RouteOf } from "./observer.ts";
import { trackConnections } from "./connections.ts";
import { queueRequests } from "./request-queue.ts";
import { createStop } from "./stop.ts";
import { visitors, type TokenVisitorsOptions, type Visitors } from "./visitors/index.ts";

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
  /** Stops accepting connections, answers the requests that have come, and closes. Requests that wait for changes stop waiting. */
  stop(): Promise<void>;
}

export interface HttpServerOptions {
  metrics?: Metrics | null;
  /** Whether the dashboard is at `/dashboard`; by default it is not. */
  hasDashboard?: boolean;
  /** Opens the page of an invented app at `/demo`. */
  isDemo?: boolean;
  /** Opens the routes for visitors with tokens. */
  tokenVisitors?: TokenVisitorsOptions | null;
}

/** The handler of the paths below a base path. */
interface Mount {
  base: string;
  listener: Listener;
}

/** Serves the API below `/api/v1`, and the paths beside it. Logs errors answered with 500. Does not listen yet. */
export function createHttpServer(tracker: Tracker, options: HttpServerOptions = {}): HttpServer {
  const { metrics = null, hasDashboard = false, isDemo = false, tokenVisitors = null } = options;
  const stopping = new AbortController();
  // Every request that waits for changes listens.
  setMaxListeners(0, stopping.signal);
  const observe = createObserver(metrics);
  const { [respondSymbol]: answerCall } = tracker as Tracker & WithRespond;
  const respond: Respond = (call) => {
    const { socket } = call.incoming as IncomingMessage;
    if (!connections.isKnown(socket)) call.onAuthenticated = () => connections.know(socket);
    return answerCall(call);
  };
  const toObserved = (observable: Respond, routeOf: RouteOf): Listener =>
    answerWith({ [respondSymbol]: observe(observable, routeOf) }, [stopping.signal]);
  const mounts: Mount[] = [{ base: basePath, listener: toObserved(respond, routesOf(basePath)) }];
  if (hasDashboard)
    mounts.push({ base: dashboardPath, listener: toObserved(createStandalone(basePath), dashboardRouteOf) });
  // A visitor has no API key, so its connections give way to callers with a key.
  for (const opened of [tokenVisitors, isDemo ? demoVisitors : null]) {
    if (!opened) continue;
    const { [respondSymbol]: respondVisitor } = visitors(tracker, opened) as Visitors & WithRespond;
    mounts.push({ base: opened.basePath, listener: toObserved(respondVisitor, () => opened.basePath) });
  }
  // Last, because the path of its visitor is below its own.
  if (isDemo) mounts.push({ base: demoPath, listener: toObserved(answerDemo, demoRouteOf) });
  const answerBeside = createBeside(tracker, basePath, hasDashboard ? dashboardPath : null);
  const respondBeside = observe<RequestLine>(answerBeside, ({ path }) => (isBeside(path) ? path : "none"));
  const isAccepted = createUnderWay();

  const server = createServer(limits, onRequest);
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    onRequest(request, response);
  });
  // By default `node:http` answers other expectations with 417, without our limits. RFC 9110 section 10.1.1 lets us ignore them.
  server.on("checkExpectation", onRequest);
  server.maxConnections = connectionsMax;
  server.setTimeout(idleTimeoutMs);
  const connections = trackConnections(server);
  const closing = createStop(server, connections);
  const beginInTurn = queueRequests(server, begin);

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    // Counts queued requests too. Otherwise a client that pipelines could fill the queue.
    if (!isAccepted(request, response)) return;
    const { socket } = request;
    connections.asked(socket);
    closing.asked(request, response);
    // The system has the whole answer now, so `answered` may close the connection.
    response.on("close", () => {
      closing.answered(request, response);
      connections.answered(socket);
    });
    boundUnread(request, response);
    beginInTurn(request, response);
  }

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request.url ?? "/");
    const mount = mounts.find(({ base }) => isBelow(path, base));
    if (mount) return void mount.listener(request, response);
    const { method = "GET" } = request;
    void respondBeside({ method, path }).then((answer) =>
      writeAnswer(response, method === "HEAD" ? { ...answer, body: "" } : answer),
    );
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await closing.stop();
  }

  return { server, stop };
}
