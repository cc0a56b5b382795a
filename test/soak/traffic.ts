import { setTimeout as sleep } from "node:timers/promises";
import { openConnection } from "../support/raw-connection.ts";
import { pick } from "../support/random.ts";

/** How often each status was answered. */
export type Statuses = Record<number, number>;

const emails = Array.from({ length: 500 }, (_, index) => `user${index}@example.com`);
const loopsEach = 4;
/** How long a slow client takes over one request. */
const slowMs = 5_000;

/** Sends a mixture of requests, with any of the keys, until the time has come; resolves with what was answered. */
export async function sendTraffic(port: number, keys: readonly string[], until: number): Promise<Statuses> {
  const statuses: Statuses = {};
  const base = `http://127.0.0.1:${port}/api/v1`;
  let events = 0;

  async function send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const key = { Authorization: `Bearer ${pick(keys)}`, "Content-Type": "application/json" };
    const init = { method, headers: { ...key, ...headers }, ...(body !== undefined && { body }) };
    const response = await fetch(`${base}${path}`, init);
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }

  const event = (eventKey: string): string => JSON.stringify({ externalId: pick(emails), eventKey });
  const acts: (() => Promise<void>)[] = [
    () => send("POST", "/contacts", JSON.stringify({ email: pick(emails), name: pick(["Ada", "Grace"]) })),
    () => send("POST", "/events", event("page_viewed")),
    () => send("POST", "/events", event("page_viewed"), { "Idempotency-Key": String(++events) }),
    () => send("GET", `/contacts/${pick(emails)}`),
    () => send("PATCH", `/contacts/${pick(emails)}`, JSON.stringify({ plan: pick(["free", "pro"]) })),
    // One in so many, so that contacts have events to go with them.
    () => (Math.random() < 0.1 ? send("DELETE", `/contacts/${pick(emails)}`) : Promise.resolve()),
    () => send("POST", "/events", "{"),
    () => send("GET", "/contacts/x", undefined, { Authorization: `Bearer sk_${"x".repeat(39)}${events++ % 9_000}` }),
    () => askSlowly(port, pick(keys)),
  ];
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (Date.now() < until) await act();
  };
  await Promise.all(acts.flatMap((act) => Array.from({ length: loopsEach }, () => repeat(act))));
  return statuses;
}

/** Sends a request in two halves, and goes away before the answer. */
async function askSlowly(port: number, key: string): Promise<void> {
  const connection = await openConnection(port);
  connection.write(`GET /api/v1/contacts/x HTTP/1.1\r\nHost: localhost\r\n`);
  await sleep(slowMs);
  connection.write(`Authorization: Bearer ${key}\r\n\r\n`);
  connection.destroy();
}
