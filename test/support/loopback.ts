import { once } from "node:events";
import type { Server } from "node:http";
import { connect, createServer, type AddressInfo } from "node:net";

/** Runs with the port of a server that listens on 127.0.0.1. Closes the server and its connections. */
export async function listening(server: Server, run: (port: number) => Promise<void>): Promise<void> {
  server.listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    await run((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Whether the server at the Unix socket says something first, as a MySQL server does once it serves. */
export function greets(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once("data", () => {
      resolve(true);
      connection.destroy();
    });
    // "close" follows.
    connection.once("error", () => {});
    connection.once("close", () => resolve(false));
  });
}

/** A port of the address that nobody listens on, from 12000 to 31999. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (;;) {
    // Below those that systems give to outgoing connections: while a server is down between a kill and a restart, such a
    // connection could take its port, even one that a client opens to reach it.
    const candidate = 12_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(candidate, host, () => resolve(true));
    });
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return candidate;
  }
}
