import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy before the database that can lose a COMMIT, or the answer to one. */
export interface Proxy {
  url: string;
  /** What becomes of the next commits: cut before the server gets them, or once it has answered; or let go nowhere. */
  next: ("lose commit" | "lose answer" | "freeze")[];
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const next: Proxy["next"] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let fate: Proxy["next"][number] | undefined;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", cut);
    }
    client.on("data", (data: Buffer) => {
      // Sent by itself: the driver waits for each answer.
      if (data.includes("COMMIT") && data.length < 30) fate = next.shift();
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
    next,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
