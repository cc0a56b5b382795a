import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Change } from "../../lib/index.ts";

/** A message that the receiver has taken, whose signature was valid. */
export interface Received {
  id: string;
  type: string;
  data: Change;
  path: string;
}

export interface Receiver {
  url: string;
  /** Its host and port, for `webhookAllow`. */
  host: string;
  received: Received[];
  /** Sets the secrets by which it verifies. */
  trust(...secrets: string[]): void;
  close(): Promise<void>;
}

/** Answers a message. Returns a status, or answers itself. */
export type Answer = (message: Received, response: ServerResponse) => number | undefined;

/** Starts an endpoint that verifies with the standard's library. It answers 400 to what it cannot verify. */
export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  let verifiers: Webhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const headers = headersOf(request.headers);
      if (!verifiers.some((verifier) => isVerified(verifier, body, headers))) return response.writeHead(400).end();
      const { type, data } = JSON.parse(body) as Pick<Received, "type" | "data">;
      const message = { id: headers["webhook-id"]!, type, data, path: request.url! };
      received.push(message);
      const status = answer(message, response);
      return status === undefined ? undefined : response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/hooks`,
    host,
    received,
    trust: (...secrets) => (verifiers = secrets.map((secret) => new Webhook(secret))),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function isVerified(verifier: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}
