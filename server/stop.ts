import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionSlots } from "./connection-slots.ts";

/** How long a stop waits for requests that the network still delivers, and for running requests. */
const quietMs = 250;
const stopMs = 8_000;

/** Stops accepting connections, waits until the requests that have come are answered, and closes. */
export async function closeServer(server: Server, { silent }: ConnectionSlots): Promise<void> {
  // `close` of `node:http` would also close idle connections, whose next request may be on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), stopMs);
  await sleep(quietMs);
  const closeIdle = (): void => {
    for (const socket of silent) socket.destroy();
    server.closeIdleConnections();
  };
  const closing = setInterval(closeIdle, quietMs);
  closeIdle();
  await closed;
  clearInterval(closing);
  clearTimeout(deadline);
  // Stops the timer with which `node:http` checks its connections.
  server.close();
}
