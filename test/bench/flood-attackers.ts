/**
 * The attackers of `flood.ts`, a process of their own: PORT, SOCKETS, SECONDS and MANNER come as variables. Each socket sends
 * requests with keys that nobody has, and another one is opened as soon as it is cut off.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

const { PORT = "", SOCKETS = "", SECONDS = "", MANNER = "" } = process.env;
const endsAt = performance.now() + Number(SECONDS) * 1_000;
const tally = { connections: 0, sent: 0, answered: 0 };

// More keys than a storage remembers of those that nobody has; all requests are of one length.
const requests = Array.from(
  { length: 30_000 },
  () =>
    `GET /api/v1/contacts/u HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer sk_${randomBytes(32).toString("base64url")}\r\n\r\n`,
);
const length = requests[0]!.length;
const bytes = Buffer.from(requests.join(""));
/** Of one read, about. */
const packet = 600;
let next = 0;

function send(socket: Socket, count: number): boolean {
  if (next + count > requests.length) next = 0;
  const from = next * length;
  next += count;
  tally.sent += count;
  return socket.write(bytes.subarray(from, from + count * length));
}

/** What an attacker does with a new connection, and with so many answers. */
const manners: Record<string, (socket: Socket) => (answers: number) => void> = {
  /** Sends all that is taken. */
  endless(socket) {
    const sendAll = (): void => {
      while (!socket.destroyed && send(socket, packet));
    };
    socket.on("drain", sendAll);
    sendAll();
    return () => {};
  },
  /** Sends a packet, and waits to be cut off. */
  packets(socket) {
    send(socket, packet);
    return (answers) => void (answers > 0 && socket.destroy());
  },
  /** Has as many requests under way as a connection may. */
  allowed(socket) {
    send(socket, 64);
    return (answers) => void (answers > 0 && send(socket, answers));
  },
};

function attack(): void {
  if (performance.now() > endsAt) return process.exit();
  const socket = connect(Number(PORT), "127.0.0.1");
  let onAnswers: (answers: number) => void = () => {};
  socket.on("connect", () => {
    tally.connections++;
    onAnswers = manners[MANNER]!(socket);
  });
  socket.on("data", (received: Buffer) => {
    const answers = received.toString("latin1").split("HTTP/1.1 ").length - 1;
    tally.answered += answers;
    onAnswers(answers);
  });
  // A reset, which "close" follows.
  socket.on("error", () => {});
  socket.on("close", () => setImmediate(attack));
}

process.on("exit", () => console.log(`attackers ${JSON.stringify(tally)}`));
setTimeout(() => process.exit(), Number(SECONDS) * 1_000);
for (let n = 0; n < Number(SOCKETS); n++) attack();
