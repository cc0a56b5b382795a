import { once } from "node:events";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import {
  createPoster,
  type Answer,
  type Poster,
  type PosterOptions,
  type PosterSeams,
} from "../../lib/webhooks/post.ts";
import { readAllowedHosts } from "../../lib/webhooks/urls.ts";
import { certificate, certificateKey } from "./certificate.ts";
import { within } from "./within.ts";

export const message = { headers: { "webhook-id": "1" }, body: "{}" };

/** A receiver, by default by https with the certificate of partner.test. Its connections and requests are all until now. */
interface Receiver {
  port: number;
  connections: Socket[];
  requests(): number;
}

interface ReceivingOptions {
  answer?: RequestListener;
  at?: string;
  port?: number;
  scheme?: "http" | "https";
}

export const ok: RequestListener = (_request, response) => void response.end("ok");

/** Runs with a receiver, by default at any port of 127.0.0.1. */
export async function receiving(
  { answer = ok, at = "127.0.0.1", port = 0, scheme = "https" }: ReceivingOptions,
  run: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  const connections: Socket[] = [];
  let requests = 0;
  const server = scheme === "http" ? createHttp() : createHttps({ cert: certificate, key: certificateKey });
  server.on("request", () => requests++).on("request", answer);
  server.on("connection", (socket: Socket) => connections.push(socket.on("error", () => {})));
  // Then only the poster ends an idle connection.
  server.keepAliveTimeout = 0;
  server.listen(port, at);
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  await run({ port: own, connections, requests: () => requests }).finally(() => {
    server.close();
    for (const socket of connections) socket.destroy();
  });
}

interface Posting extends Receiver {
  poster: Poster;
  /** Posts to a host, with a port or at the receiver's, by default to partner.test, with a path and a query that no error may show. */
  post(host?: string, body?: string, signal?: AbortSignal): Promise<Answer>;
  lookedUp: string[];
}

type PostingOptions = PosterSeams & Omit<ReceivingOptions, "at" | "port"> & Partial<Pick<PosterOptions, "resolve">>;

/** Runs with a poster and a receiver at 127.0.0.0/8, of which 127.0.0.1 alone counts as public. By http the host is allowed. */
export function posting(
  { resolve = async () => ["127.0.0.1"], scheme = "https", answer = ok, ...seams }: PostingOptions,
  run: (posting: Posting) => Promise<void>,
): Promise<void> {
  const isAllowedAddress = (address: string): boolean => address === "127.0.0.1";
  const runWith = async (receiver: Receiver): Promise<void> => {
    const lookedUp: string[] = [];
    const counting = (host: string): Promise<readonly string[]> => (lookedUp.push(host), resolve(host));
    const allow = readAllowedHosts(scheme === "http" ? [`partner.test:${receiver.port}`] : [])!;
    const poster = createPoster({ allow, resolve: counting }, { isAllowedAddress, ca: certificate, ...seams });
    const post: Posting["post"] = (host = "partner.test", body = message.body, signal) => {
      const url = `${scheme}://${host.includes(":") ? host : `${host}:${receiver.port}`}/secret-path?secret=query`;
      return poster.post(url, { ...message, body }, signal);
    };
    await run({ ...receiver, poster, post, lookedUp }).finally(poster.close);
  };
  return receiving({ answer, at: "0.0.0.0", scheme }, runWith);
}

/** The message of the error that a post rejects with. */
export function failureOf(post: Promise<unknown>): Promise<string> {
  return post.then(() => "none").catch((error: Error) => error.message);
}

/** Waits until the connection has ended. */
export async function ended(connection: Socket): Promise<void> {
  if (!connection.closed) await within(10_000, "the connection to end", once(connection, "close"));
}

/** Runs with these environment variables. */
export function withVariables(variables: Readonly<Record<string, string>>, run: () => Promise<void>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  return run().finally(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  });
}

const sleeper = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ host: workerData, port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/** Runs with a port of the address at which connections are neither accepted nor refused. */
export async function blackHole(at: string, run: (port: number) => Promise<void>): Promise<void> {
  const worker = new Worker(sleeper, { eval: true, workerData: at });
  const [port] = (await once(worker, "message")) as [number];
  // Linux keeps one connection more than the backlog, and ignores others.
  const kept = Array.from({ length: 4 }, () => connect(port, at).on("error", () => {}));
  await once(kept[1]!, "connect");
  await run(port).finally(() => {
    for (const socket of kept) socket.destroy();
    void worker.terminate();
  });
}
