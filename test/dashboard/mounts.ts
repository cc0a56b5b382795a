import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { dashboard } from "../../server/dashboard/index.ts";
import { createHttpServer } from "../../server/http-server.ts";
import { openMysql } from "../support/mysql.ts";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";

/** A port of this machine that webhooks may have. */
export const webhookPort: number = await freePort();

/** A dashboard in a browser's reach. */
export interface Mount {
  tracker: Tracker;
  storage: Storage;
  /** Of the schema, on MySQL. */
  databaseUrl?: string;
  origin: string;
  /** The address of a page, from what stands behind the `#`. */
  url(place?: string): string;
  /** Whether `authorize` lets in. */
  isOpen: boolean;
  close(): Promise<void>;
}

/** On memory, in Express, which takes the prefix off. */
export function mountInExpress(): Promise<Mount> {
  return mount(memoryStorage(), "/tools/whodid", (listener) => express().use("/tools/whodid", listener));
}

/** On MySQL, at the root of a `node:http` server of its own. */
export async function mountOnMysql(database: Database): Promise<Mount> {
  const { storage, url: databaseUrl, dispose } = await openMysql(database);
  const mounted = await mount(storage, "/whodid", (listener) => listener);
  return Object.assign(mounted, { databaseUrl, close: closing(mounted.close, dispose) });
}

/** The server with its dashboard, on MySQL if there is one. `stop` and `start` keep its port. */
export interface Served extends Mount {
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function serve(database: Database | null): Promise<Served> {
  const opened = database && (await openMysql(database));
  const storage = opened?.storage ?? memoryStorage();
  const tracker = createTracker({ storage, basePath: "/api/v1" });
  let { server } = createHttpServer(tracker, { hasDashboard: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const stop = (): Promise<void> => closeServer(server);
  return {
    tracker,
    storage,
    ...(opened && { databaseUrl: opened.url }),
    origin,
    url: (place = "") => `${origin}/dashboard${place && `#/${place}`}`,
    isOpen: true,
    stop,
    async start() {
      ({ server } = createHttpServer(tracker, { hasDashboard: true }));
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close: closing(stop, async () => opened?.dispose()),
  };
}

type Listener = ReturnType<typeof toListener>;

async function mount(
  storage: Storage,
  basePath: string,
  host: (listener: Listener) => Parameters<typeof createServer>[1],
): Promise<Mount> {
  const tracker = createTracker({ storage, webhookAllow: [`127.0.0.1:${webhookPort}`] });
  const answer = toListener(dashboard(tracker, { basePath, authorize: () => mounted.isOpen }));
  const server = createServer(host(answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mounted: Mount = {
    tracker,
    storage,
    origin,
    url: (place = "") => `${origin}${basePath}/${place && `#/${place}`}`,
    isOpen: true,
    close: () => closeServer(server),
  };
  return mounted;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
}

function closing(...steps: (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await step();
  };
}
