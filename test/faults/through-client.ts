import assert from "node:assert/strict";
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createClient, type Client } from "../../lib/client/index.ts";
import type { Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { countBy } from "../support/queries.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import { createLedger, type Ledger } from "./ledger.ts";

const eventCount = Number(process.env["EVENTS"] ?? 4_000);
/** So that a server is up most of the time. */
const eventsPerKill = 2_000;
const contactCount = 200;
/** A busy machine needs more than a second for a call, and more than three for a batch. */
const timeoutMs = 3_000;
const batchTimeoutMs = 15_000;
/** How long no server is reached. It takes two or three of a call's eight tries; harms may take some of the others. */
const downMs = 200;
const harms = ["lose the request", "lose the answer", "delay", "cut", "double"] as const;

/**
 * Records events by `track` and by `trackMany` of a client, and upserts contacts, through a proxy that harms one request in ten. The
 * server behind it is killed again and again, and another takes its place. Each event must be stored once, and each contact as it was
 * sent last.
 */
export async function trackThroughHarm(database: Database): Promise<Ledger> {
  const url = await database.createDatabase();
  const key = generateApiKey();
  const environment = { DATABASE_URL: url, API_KEY: key, RATE_LIMIT: "1000000000" };
  const servers: ServerProcess[] = [];
  const start = async (): Promise<number> => {
    const port = await freePort();
    servers.push(await startServer({ ...environment, PORT: String(port) }));
    return port;
  };
  const proxy = startHarmingProxy(await start());
  const ledger = createLedger();
  const clientOf = (ms: number): Client =>
    createClient({
      url: `${proxy.url}/api/v1`,
      key,
      timeoutMs: ms,
      onRetry: () => (ledger.statuses["retries"] = (ledger.statuses["retries"] ?? 0) + 1),
    });
  try {
    const work = runClients(clientOf(timeoutMs), clientOf(batchTimeoutMs));
    // It is awaited at the end, and may fail while a server starts.
    work.catch(() => {});
    for (let count = eventsPerKill / 2; count < eventCount; count += eventsPerKill) {
      // It is started before the other is killed: on a busy machine a start can take longer than a client tries.
      const port = await start();
      await Promise.race([stored(url, count), work]);
      await servers.at(-2)!.stop("SIGKILL");
      await sleep(downMs);
      proxy.turnTo(port);
    }
    await work;
    Object.assign(ledger.statuses, proxy.harmed);
    await assertStored(url);
    return ledger;
  } finally {
    proxy.close();
    for (const { child } of servers) child.kill("SIGKILL");
  }
}

async function runClients(client: Client, ofBatches: Client): Promise<void> {
  const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
  const email = (n: number): string => `user${n % contactCount}@example.com`;
  const event = (n: number) => ({ externalId: email(n), eventKey: "counted", properties: { n } });
  const { failed } = await ofBatches.contacts.upsertMany(range(contactCount).map((n) => ({ email: email(n) })));
  assert.equal(failed, 0);
  let next = eventCount / 2;
  const trackNext = async (): Promise<void> => {
    while (next < eventCount) await client.events.track(event(next++));
  };
  const upsertAll = async (): Promise<void> => {
    for (const n of range(contactCount)) {
      await client.contacts.upsert({ email: email(n), plan: "before" });
      await client.contacts.upsert({ email: email(n), plan: "after" });
    }
  };
  const [{ failed: lost }] = await Promise.all([
    ofBatches.events.trackMany(range(eventCount / 2).map(event)),
    upsertAll(),
    ...Array.from({ length: 64 }, trackNext),
  ]);
  assert.equal(lost, 0);
}

/** Resolves once so many events are stored. */
async function stored(url: string, wanted: number): Promise<void> {
  while ((await countBy(url, "SELECT COUNT(*) AS n FROM whodid_events")) < wanted) await sleep(20);
}

async function assertStored(url: string): Promise<void> {
  assert.deepEqual(
    [
      await countBy(url, "SELECT COUNT(*) AS n FROM whodid_events"),
      await countBy(url, "SELECT COUNT(DISTINCT properties) AS n FROM whodid_events"),
      await countBy(url, "SELECT SUM(event_count) AS n FROM whodid_summaries"),
      await countBy(url, "SELECT COUNT(*) AS n FROM whodid_contacts WHERE plan = 'after'"),
      await countBy(url, "SELECT COUNT(*) AS n FROM whodid_contacts"),
    ],
    [eventCount, eventCount, eventCount, contactCount, contactCount],
  );
}

interface HarmingProxy {
  url: string;
  /** How many requests met each harm. */
  harmed: Record<string, number>;
  /** Sends to the server on this port from now on. */
  turnTo(port: number): void;
  close(): void;
}

function startHarmingProxy(first: number): HarmingProxy {
  let port = first;
  const harmed: Record<string, number> = {};
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const harm = Math.random() < 0.1 ? harms[Math.floor(Math.random() * harms.length)] : undefined;
    if (harm) harmed[harm] = (harmed[harm] ?? 0) + 1;
    const body = await bytesOf(request);
    if (harm === "lose the request") throw new Error(harm);
    if (harm === "double") await forward(port, request, body);
    const { status, headers, answer } = await forward(port, request, body);
    if (harm === "lose the answer") throw new Error(harm);
    if (harm === "delay") await sleep(timeoutMs * 1.2);
    response.writeHead(status, headers);
    if (harm !== "cut") response.end(answer);
    else response.write(answer.subarray(0, answer.length >> 1), () => response.destroy());
  }
  const server = createServer((request, response) => {
    // The server is down, or a harm says so.
    pass(request, response).catch(() => response.destroy());
  }).listen(0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    harmed,
    turnTo: (next) => void (port = next),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Forwarded {
  status: number;
  headers: IncomingMessage["headers"];
  answer: Buffer;
}

function forward(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const sent = ask({ port, method, path: url, headers, agent: false }, (answered) => {
      const status = answered.statusCode!;
      bytesOf(answered).then((answer) => resolve({ status, headers: answered.headers, answer }), reject);
    });
    sent.on("error", reject).end(body);
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await message.toArray()) as Buffer[]);
}
