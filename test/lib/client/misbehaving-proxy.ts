import { createServer, type AddressInfo, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** How a proxy answers a request. It has the connection, and may keep it open. */
type Misbehaviour = (socket: Socket) => void;

/** The code that a call must be refused with. */
export interface Way {
  code: string;
  misbehave: Misbehaviour;
}

const lost = "storage_unavailable";
const none = "";

function head(status: string, ...headers: string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");
}

/** An answer whose body is as long as it says. */
function answer(code: string, status: string, body: string | Buffer, ...headers: string[]): Way {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return raw(code, head(status, length, ...headers), body);
}

/** These bytes, after which the connection stays open. */
function raw(code: string, ...parts: (string | Buffer)[]): Way {
  return { code, misbehave: (socket) => parts.forEach((part) => socket.write(part)) };
}

/** These bytes, after which the connection ends. */
function cut(...parts: string[]): Way {
  return { code: lost, misbehave: (socket) => socket.end(parts.join("")) };
}

/** The bytes at the beginning, then these again and again, with pauses or as fast as they are read. */
function endless(beginning: string, again: string | Buffer, everyMs: number): Way {
  return {
    code: lost,
    misbehave(socket) {
      socket.write(beginning);
      if (everyMs > 0) {
        const timer = setInterval(() => socket.write(again), everyMs);
        socket.once("close", () => clearInterval(timer));
        return;
      }
      const writeAll = (): void => {
        while (!socket.destroyed && socket.write(again));
      };
      socket.on("drain", writeAll);
      writeAll();
    },
  };
}

const chunked = "Transfer-Encoding: chunked";
const gzip = "Content-Encoding: gzip";
const tracked = '{"success":true,"event":{"id":"1"},"completedChecklistItems":[]}';
const refusal = (error: string): string => `{"success":false,"error":${error}}`;
const limited = refusal('{"code":"rate_limited","message":"Wait."}');
const unavailable = refusal('{"code":"storage_unavailable","message":"Wait."}');
const megabyte = Buffer.alloc(2 ** 20, 0x20);
const bomb = gzipSync(Buffer.alloc(2 ** 26, 0x20));
const itemsOf = (item: string): Way => answer(lost, "200 OK", `{"success":true,"items":[${item},${item}]}`);

/** The ways to answer a request for one event. */
export const ways: Readonly<Record<string, Way>> = {
  "never answers": raw(lost, none),
  "closes the connection": cut(none),
  "resets the connection": { code: lost, misbehave: (socket) => socket.resetAndDestroy() },
  "sends half a status line": raw(lost, "HTTP/1.1 2"),
  "sends no HTTP": raw(lost, "220 mail.example.com ESMTP\r\n"),
  "sends headers and then nothing": raw(lost, head("200 OK", "Content-Length: 10")),
  "sends headers without end": endless("HTTP/1.1 200 OK\r\n", "X-More: 1\r\n", 50),
  "sends 100 kB of headers": raw(lost, head("200 OK", `X-Long: ${"x".repeat(100_000)}`)),
  "sends 103 without end": endless(none, head("103 Early Hints"), 50),
  "switches the protocol": raw(lost, head("101 Switching Protocols", "Upgrade: websocket", "Connection: upgrade")),
  "sends a body byte by byte": endless(head("200 OK", "Content-Length: 100000"), " ", 20),
  "says more bytes than it sends": cut(head("200 OK", "Content-Length: 1000"), tracked),
  "says fewer bytes than it sends": raw(lost, head("200 OK", "Content-Length: 20"), tracked),
  "says two lengths": raw(lost, head("200 OK", "Content-Length: 2", "Content-Length: 3"), tracked),
  "says a length that is no number": raw(lost, head("200 OK", "Content-Length: many"), tracked),
  "says a chunk of no size": raw(lost, head("200 OK", chunked), "zz\r\n"),
  "leaves out the last chunk": raw(lost, head("200 OK", chunked), "1\r\n{\r\n"),
  "resets the connection within the body": {
    code: lost,
    misbehave: (socket) => socket.write(head("200 OK", "Content-Length: 1000") + "{", () => socket.resetAndDestroy()),
  },
  "says gzip and sends none": answer(lost, "200 OK", tracked, gzip),
  "cuts gzip off": answer(lost, "200 OK", gzipSync(tracked).subarray(0, 30), gzip),
  "answers 200 with a page": answer(lost, "200 OK", "<html>Welcome</html>", "Content-Type: text/html"),
  "answers 200 with nothing": answer(lost, "200 OK", none),
  "answers 200 with {}": answer(lost, "200 OK", "{}"),
  "answers 200 with null": answer(lost, "200 OK", "null"),
  "answers 200 with a list": answer(lost, "200 OK", "[]"),
  "answers 201 without the event": answer(lost, "201 Created", '{"success":true}'),
  "answers 201 with a text for the event": answer(lost, "201 Created", tracked.replace('{"id":"1"}', '"1"')),
  "answers 201 with null for the list": answer(lost, "201 Created", tracked.replace("[]", "null")),
  "answers 200 with half of the JSON": answer(lost, "200 OK", tracked.slice(0, 30)),
  "answers 200 with 100,000 brackets": answer(lost, "200 OK", "[".repeat(100_000)),
  "answers 200 with bytes that are not UTF-8": answer(lost, "200 OK", Buffer.alloc(100, 0xff)),
  "answers 204": raw(lost, head("204 No Content")),
  "answers 304": raw("internal", head("304 Not Modified")),
  "redirects to itself": answer("internal", "307 Temporary Redirect", none, "Location: "),
  "redirects to a login": answer("internal", "302 Found", none, "Location: https://login.example.com/"),
  "answers 401 with a page": answer("internal", "401 Unauthorized", "<html>"),
  "answers 413 with a page": answer("body_too_large", "413 Content Too Large", "<html>"),
  "answers 429 always": answer("rate_limited", "429 Too Many Requests", limited),
  "answers 429 for a day": answer("rate_limited", "429 Too Many Requests", limited, "Retry-After: 86400"),
  "answers 429 for ever": answer("rate_limited", "429 Too Many Requests", limited, `Retry-After: ${"9".repeat(400)}`),
  "answers 429 with a negative time": answer("rate_limited", "429 Too Many Requests", "<html>", "Retry-After: -1"),
  "answers 429 until the year 9999": answer(
    "rate_limited",
    "429 Too Many Requests",
    "<html>",
    "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT",
  ),
  "answers 503 always": answer(lost, "503 Service Unavailable", unavailable),
  "answers 503 for a day": answer(lost, "503 Service Unavailable", "<html>Maintenance</html>", "Retry-After: 86400"),
  "answers 502 with a page": answer(lost, "502 Bad Gateway", "<html>"),
  "answers 500 without an error": answer("internal", "500 Internal Server Error", '{"success":false}'),
  "answers 400 with an unknown code": answer("internal", "400 Bad Request", refusal('{"code":"toString"}')),
  "answers 400 with issues that are none": answer(
    "invalid_input",
    "400 Bad Request",
    refusal('{"code":"invalid_input","message":1,"issues":[null,{"path":1}],"conflict":7}'),
  ),
};

/** The ways to answer a request for two events. */
export const listWays: Readonly<Record<string, Way>> = {
  "never answers a batch": raw(lost, none),
  "answers a batch 429 for a day": ways["answers 429 for a day"]!,
  "answers a batch 413": ways["answers 413 with a page"]!,
  "answers no items": answer(lost, "200 OK", '{"success":true}'),
  "answers items without events": itemsOf('{"status":201,"body":{"success":true}}'),
  "answers each item 503": itemsOf(`{"status":503,"body":${unavailable}}`),
  "answers items with codes of other types": itemsOf('{"status":400,"body":{"success":false,"error":{"code":[]}}}'),
};

/** The ways that take a processor's time, for a call after the others. */
export const heavyWays: Readonly<Record<string, Way>> = {
  "sends a body without end": endless(
    head("200 OK", chunked),
    Buffer.concat([Buffer.from("100000\r\n"), megabyte, Buffer.from("\r\n")]),
    0,
  ),
  "sends 64 MiB in 64 kB of gzip": answer(lost, "200 OK", bomb, gzip),
};

/** A proxy that answers every request in the way that begins its path: `/3/events` in the fourth of all ways. */
export function startMisbehavingProxy(): { url: string; close(): void } {
  const all = Object.values({ ...ways, ...listWays, ...heavyWays });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    // The client may reset what it does not want.
    socket.on("error", () => {});
    socket.on("data", (data: Buffer) => {
      const [, index] = /^POST \/(\d+)\//.exec(data.toString("latin1")) ?? [];
      // A body may come in a piece of its own.
      if (index !== undefined) all[Number(index)]!.misbehave(socket);
    });
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
