/** Sends one request of a webhook, within the time of a try and never to an address that is not public. */
import { lookup } from "node:dns/promises";
import { request as requestHttp, type Agent } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { keptConnectionMs, tryMs as tryMsOfAll, webhookAnswerMaxBytes } from "../model/limits.ts";
import { withOwnSignal, type GivenSignal } from "../model/signals.ts";
import { isPublicAddress } from "./addresses.ts";
import { createConnections, TryError, tryErrorOf, type ConnectionOptions, type Wanted } from "./connections.ts";
import { originOf, webhookUrlProblem } from "./urls.ts";

/** By default `resolve` resolves with the addresses that the operating system finds. */
export type PosterOptions = Pick<ConnectionOptions, "allow"> & Partial<Pick<ConnectionOptions, "resolve">>;

/** For tests alone. A parameter of its own, so that no option which an application passes on can be one of these. */
export type PosterSeams = Partial<Omit<ConnectionOptions, keyof PosterOptions> & { tryMs: number }>;

export interface Message {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Answer {
  /** Any status: redirects are not followed. */
  status: number;
  /** The header `Retry-After` as it came. */
  retryAfter: string | null;
}

export interface Poster {
  /**
   * Sends the message, and once more on a new connection if a kept one was closed before any byte of an answer. Resolves if a status
   * came, whatever happens to the rest of the answer. Rejects with the signal's reason, or with an error that names the origin alone
   * and a short reason. Nothing of the try is left then.
   */
  post(url: string, message: Message, signal?: GivenSignal): Promise<Answer>;
  /** Destroys the idle connections. Posts end as usual, and keep no connection. */
  close(): void;
}

export function createPoster({ allow, resolve = lookUp }: PosterOptions, seams: PosterSeams = {}): Poster {
  const { isAllowedAddress = isPublicAddress, ca, tryMs = tryMsOfAll, keptMs = keptConnectionMs } = seams;
  const { agentFor, close } = createConnections({ allow, resolve, isAllowedAddress, ca, keptMs });

  async function send(url: string, message: Message, ending: AbortSignal): Promise<Answer> {
    // The host may have been allowed when the URL was defined.
    if (webhookUrlProblem(url, allow) !== null) throw new TryError("refused URL");
    const wanted = { target: new URL(url), ending };
    const exchangeBy = (isKeeping: boolean) => exchange(wanted, message, agentFor(wanted.target, isKeeping));
    return (await exchangeBy(true)) ?? (await exchangeBy(false))!;
  }

  return {
    async post(url, message, signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new TryError("time-out")), tryMs);
      try {
        return await withOwnSignal([signal, late.signal], (ending) => send(url, message, ending));
      } catch (error) {
        signal?.throwIfAborted();
        throw new Error(`${originOf(url)}: ${tryErrorOf(error, "connection failed").message}`);
      } finally {
        clearTimeout(timer);
      }
    },
    close,
  };
}

async function lookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Resolves with the answer, or with `null` if a kept connection was closed before any byte of it. */
async function exchange(wanted: Wanted, { headers, body }: Message, agent: Agent): Promise<Answer | null> {
  const { target, ending } = wanted;
  ending.throwIfAborted();
  const requestBy = target.protocol === "http:" ? requestHttp : requestHttps;
  const request = requestBy(target, { ...wanted, agent, method: "POST", headers });
  ending.addEventListener("abort", () => request.destroy(ending.reason as Error));
  return new Promise((resolve, reject) => {
    let answer: Answer | null = null;
    let failure: NodeJS.ErrnoException | undefined;
    let readBefore = 0;
    request.on("socket", (socket: Socket) => (readBefore = socket.bytesRead));
    request.on("response", (response) => {
      answer = { status: response.statusCode!, retryAfter: response.headers["retry-after"] ?? null };
      let leftBytes = webhookAnswerMaxBytes;
      response.on("data", ({ length }: Buffer) => {
        leftBytes -= length;
        if (leftBytes < 0) response.destroy();
      });
      response.on("error", () => {});
      // The receiver may have answered without reading all of the request.
      response.on("close", () => request.writableFinished || request.destroy());
    });
    request.on("error", (error) => (failure = error));
    // The only event that always comes: an answer that switches to another protocol causes neither a response nor an error.
    request.on("close", () => {
      const isReset = failure?.code === "ECONNRESET" || failure?.code === "EPIPE";
      const wasIdle = request.reusedSocket && request.socket?.bytesRead === readBefore;
      // Set if the certificate was refused.
      const isRefused = request.socket instanceof TLSSocket && Boolean(request.socket.authorizationError);
      if (answer !== null || (isReset && wasIdle)) resolve(answer);
      else reject(tryErrorOf(failure, isRefused ? "certificate refused" : "connection failed"));
    });
    request.end(body);
  });
}
