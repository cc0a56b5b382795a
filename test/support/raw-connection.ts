import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { within } from "./within.ts";

export interface RawAnswer {
  /** `HTTP/1.1 200 OK`. */
  statusLine: string;
  status: number;
  headers: Headers;
  body: string;
}

/** A client that says what it likes: bytes out, answers in. */
export interface RawConnection {
  socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** The next answer; one to HEAD has no body whatever its headers say. Rejects when none comes within 30 s. */
  next(method?: "HEAD"): Promise<RawAnswer>;
  /** Resolves once the server has closed, with what it had sent beyond the answers already taken. */
  closed(): Promise<string>;
  /** Goes away without a word. */
  destroy(): void;
}

// A log-in derives a key: a tenth of a second of a processor that may have much else to do.
const patienceMs = 30_000;

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, "127.0.0.1");
  // A byte a character, so that Content-Length counts characters.
  socket.setEncoding("latin1");
  let received = "";
  let wake = (): void => {};
  socket.on("data", (text: string) => {
    received += text;
    wake();
  });
  socket.on("close", () => wake());
  // A reset, which "close" follows.
  socket.on("error", () => {});
  await within(patienceMs, "connecting", once(socket, "connect"));

  function change(what: string): Promise<void> {
    return within(patienceMs, what, new Promise((resolve) => (wake = resolve)));
  }

  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async next(method) {
      for (;;) {
        const taken = takeAnswer(received, method === "HEAD");
        if (taken) {
          received = received.slice(taken.length);
          return taken.answer;
        }
        if (socket.closed) throw new Error(`closed before an answer, after ${JSON.stringify(received)}`);
        await change(`an answer after ${JSON.stringify(received)}`);
      }
    },
    async closed() {
      while (!socket.closed) await change("the server closing the connection");
      return received;
    },
    destroy: () => void socket.destroy(),
  };
}

/** The answer that the text begins with, if all of it is there. */
function takeAnswer(text: string, isHead: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [statusLine = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  const status = Number(statusLine.split(" ")[1]);
  const length = headEnd + 4 + (isHead ? 0 : Number(headers.get("content-length")));
  if (text.length < length) return null;
  const body = Buffer.from(text.slice(headEnd + 4, length), "latin1").toString();
  return { answer: { statusLine, status, headers, body }, length };
}

/** The answer to one request, not to HEAD, after which the connection is closed. */
export async function askOnce(connection: RawConnection, text: string): Promise<RawAnswer> {
  connection.write(text);
  return connection.next().finally(() => connection.destroy());
}

export interface RawRequest {
  method?: string;
  target?: string;
  version?: "1.0" | "1.1";
  /** Beside Host, and the Content-Length of a body; `null` leaves one of them out. */
  headers?: Record<string, string | number | null>;
  body?: string;
}

/** The text of a request, as it goes over the wire. */
export function toText({ method = "GET", target = "/", version = "1.1", headers = {}, body }: RawRequest): string {
  const usual = { Host: "localhost", ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }) };
  const lines = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== null);
  const head = [`${method} ${target} HTTP/${version}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** The same request with an API key; one with a body is a POST of JSON. The target defaults to `/api/v1/contacts`. */
export function authorized(key: string, { headers, ...request }: RawRequest): RawRequest {
  const hasBody = request.body !== undefined || headers?.["Transfer-Encoding"] !== undefined;
  return {
    method: hasBody ? "POST" : "GET",
    target: "/api/v1/contacts",
    headers: { Authorization: `Bearer ${key}`, ...(hasBody && { "Content-Type": "application/json" }), ...headers },
    ...request,
  };
}

/** Sends requests with an API key to one port. */
export interface Asker {
  connect(): Promise<RawConnection>;
  /** A request's text with the key; with a body it is a POST of JSON. The target defaults to `/api/v1/contacts`. */
  toText(request?: RawRequest): string;
  /** Its answer, on a connection of its own. */
  ask(request?: RawRequest): Promise<RawAnswer>;
  /** Destroys all connections. */
  disconnect(): void;
}

export function askerAt(port: number, key: string): Asker {
  const connections: RawConnection[] = [];
  const open = async (): Promise<RawConnection> => {
    const connection = await openConnection(port);
    connections.push(connection);
    return connection;
  };
  const withKey = (request: RawRequest = {}): string => toText(authorized(key, request));
  return {
    connect: open,
    toText: withKey,
    ask: async (request) => askOnce(await open(), withKey(request)),
    disconnect() {
      for (const connection of connections) connection.destroy();
    },
  };
}

/** The code of a refusal. */
export function codeOf({ body }: Pick<RawAnswer, "body">): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}
