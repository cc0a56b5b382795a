import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./loopback.ts";

// The first byte of a command, behind four of its packet's header.
const query = 0x03;
const prepare = 0x16;
const execute = 0x17;

/** Something else that the server gets for a statement: so it answers what a member of a cluster would. */
export interface Replacement {
  /** Part of the statement's text. It is looked for where the text is sent: in a query, or when a statement is prepared. */
  of: string;
  send: string;
  /** The error that the client is answered; without one, what the server answers. */
  errno?: number;
  /** Whether it is prepared where the statement is; otherwise it is executed at once. */
  isPrepared?: true;
}

/**
 * A TCP proxy before the database that counts, can lose a COMMIT or the answer to one, can send other statements, and can stand
 * still.
 */
export interface Proxy {
  url: string;
  /** So far. */
  seen: { connections: number; commits: number; queried: number; prepared: number; executed: number };
  /** Those of all statements that were prepared. */
  texts: ReadonlySet<string>;
  /**
   * The fates of the next COMMITs. The connection is cut before the server gets one, or after the answer. Or the COMMIT, or its
   * answer, is not passed on, and the connection stays open. Or the COMMIT is held until `release`, even if the client goes.
   */
  next: ("lose commit" | "lose answer" | "freeze" | "keep answer" | "hold")[];
  /** The number of COMMITs that are held. */
  held(): number;
  /** Sends the held COMMITs, and then the end of their connections. Resolves when the server has ended these too. */
  release(): Promise<void>;
  /** Each for the next statement that it fits, once. */
  instead: Replacement[];
  /** Leads new connections to another server. */
  lead(target: string): void;
  /** Passes nothing on until `thaw`, which then passes on what has come. */
  freeze(): void;
  thaw(): void;
  /** Cuts all connections, and refuses new ones until `rise`. */
  fall(): Promise<void>;
  rise(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const next: Proxy["next"] = [];
  const held: (() => Promise<unknown>)[] = [];
  const instead: Replacement[] = [];
  const texts = new Set<string>();
  const seen = { connections: 0, commits: 0, queried: 0, prepared: 0, executed: 0 };
  let frozen = false;
  const server = createServer((client) => {
    seen.connections++;
    const upstream = connect(Number(port), hostname);
    let fate: Proxy["next"][number] | undefined;
    let replaced: Replacement | undefined;
    const compounds = createCompounds();
    const cut = (): void => {
      client.destroy();
      if (fate !== "hold") upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", cut);
      if (frozen) socket.pause();
    }
    client.on("data", (data: Buffer) => {
      // Sent by itself, or behind others in a packet of MySQL: the driver waits for each answer.
      const isSent = data.includes("COMMIT") && (data.length < 40 || (data[4] === query && data.includes(";\nCOMMIT")));
      if (isSent || compounds.isExecutedBy(data)) {
        seen.commits++;
        fate = next.shift();
      }
      if (data[4] === query) seen.queried++;
      if (data[4] === prepare) {
        seen.prepared++;
        texts.add(data.subarray(5).toString());
      }
      if (data[4] === execute) seen.executed++;
      const fitting = data[4] === query || data[4] === prepare ? instead.findIndex(({ of }) => data.includes(of)) : -1;
      replaced = instead[fitting];
      if (replaced) instead.splice(fitting, 1);
      const sent = replaced
        ? packet(0, replaced.isPrepared ? prepare : query, attributesOf(data) + replaced.send)
        : data;
      if (fate === "lose commit") cut();
      else if (fate === "hold") held.push(() => once(upstream.end(sent), "close"));
      else if (fate !== "freeze") upstream.write(sent);
    });
    upstream.on("data", (data: Buffer) => {
      compounds.learn(data);
      if (fate === "lose answer") cut();
      else if (fate !== "keep answer") client.write(replaced?.errno === undefined ? data : errorOf(replaced.errno));
    });
  });
  const own = await freePort();
  const rise = async (): Promise<void> => {
    server.listen(own, "127.0.0.1");
    await once(server, "listening");
  };
  const fall = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  await rise();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(own);
  return {
    url: url.href,
    seen,
    texts,
    next,
    instead,
    held: () => held.length,
    release: async () => void (await Promise.all(held.splice(0).map((send) => send()))),
    lead(other) {
      ({ hostname, port } = new URL(other));
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    fall,
    rise,
    close: fall,
  };
}

/** The prepared compound statements of a connection that hold a COMMIT: the one that executes one may commit. */
function createCompounds(): { isExecutedBy(request: Buffer): boolean; learn(answer: Buffer): void } {
  const ids = new Set<number>();
  let isPreparing = false;
  return {
    isExecutedBy(request) {
      isPreparing = request[4] === prepare && request.includes("BEGIN NOT ATOMIC") && request.includes("COMMIT");
      return request[4] === execute && ids.has(request.readUInt32LE(5));
    },
    learn(answer) {
      // An answer without an error begins with 0 and the statement's id.
      if (isPreparing && answer[4] === 0) ids.add(answer.readUInt32LE(5));
      isPreparing = false;
    },
  };
}

/** MySQL reads two numbers before the text: of its attributes, and of their sets. */
function attributesOf(data: Buffer): string {
  const none = "\0\u0001";
  return data[4] === query && data.toString("latin1", 5, 7) === none ? none : "";
}

function packet(number: number, first: number, text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const header = Buffer.alloc(5, 0);
  header.writeUIntLE(bytes.length + 1, 0, 3);
  header[3] = number;
  header[4] = first;
  return Buffer.concat([header, bytes]);
}

/** An ERR packet: the number in two bytes, a state, a message. */
function errorOf(errno: number): Buffer {
  return packet(1, 0xff, `${String.fromCharCode(errno & 0xff, errno >> 8)}#HY000as a cluster says`);
}
