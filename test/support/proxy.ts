import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

// The first byte of a command, behind four of its packet's header.
const prepare = 0x16;
const execute = 0x17;

/** A TCP proxy before the database that counts, can lose a COMMIT or the answer to one, and can stand still. */
export interface Proxy {
  url: string;
  /** So far. */
  seen: { connections: number; commits: number; prepared: number; executed: number };
  /** What becomes of the next commits: cut before the server gets them, or once it has answered; or let go nowhere. */
  next: ("lose commit" | "lose answer" | "freeze")[];
  /** Passes nothing on until `thaw`, which then passes on what has come. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const next: Proxy["next"] = [];
  const seen = { connections: 0, commits: 0, prepared: 0, executed: 0 };
  let frozen = false;
  const server = createServer((client) => {
    seen.connections++;
    const upstream = connect(Number(port), hostname);
    let fate: Proxy["next"][number] | undefined;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", cut);
      if (frozen) socket.pause();
    }
    client.on("data", (data: Buffer) => {
      // Sent by itself: the driver waits for each answer.
      if (data.includes("COMMIT") && data.length < 30) {
        seen.commits++;
        fate = next.shift();
      }
      if (data[4] === prepare) seen.prepared++;
      if (data[4] === execute) seen.executed++;
      if (fate === "lose commit") cut();
      else if (fate !== "freeze") upstream.write(data);
    });
    upstream.on("data", (data: Buffer) => {
      if (fate === "lose answer") cut();
      else client.write(data);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    seen,
    next,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
