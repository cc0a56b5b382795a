import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../lib/client/index.ts";
import { compareInRounds, secondsOf, type Figures } from "./rounds.ts";
import { key, kill, startWhodidWithContacts } from "./services.ts";

const inFlight = 64;
const eventsPerRound = 5_000;
const perBatch = 500;

/** Events by `createClient` against a loop over `fetch` that retries as carefully, one by one and by batches, on the server on memory. */
export async function run(): Promise<void> {
  const server = await startWhodidWithContacts("");
  const url = `${server.url}/api/v1`;
  const client = createClient({ url, key });
  const event = (n: number) => ({
    externalId: `user${n % 10_000}@example.com`,
    eventKey: "page_viewed",
    properties: { plan: "pro", amount: 42.5, trial: false },
  });
  const keyed = (n: number): object => ({ ...event(n), idempotencyKey: crypto.randomUUID() });
  const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);
  await compareInRounds(5, {
    "client.events.track": () => oneByOne((n) => client.events.track(event(n))),
    "fetch, one by one": () =>
      oneByOne((n) => postTo(`${url}/events`, event(n), { "idempotency-key": crypto.randomUUID() })),
    "client.events.trackMany": () => timed(() => client.events.trackMany(range(0, eventsPerRound).map(event))),
    "fetch, by batches": () =>
      timed(async () => {
        for (let from = 0; from < eventsPerRound; from += perBatch)
          await postTo(`${url}/events/batch`, { items: range(from, perBatch).map(keyed) });
      }),
  });
  kill([server]);
}

async function timed(work: () => Promise<unknown>): Promise<Figures> {
  return { "events/s": eventsPerRound / (await secondsOf(work)) };
}

function oneByOne(track: (n: number) => Promise<unknown>): Promise<Figures> {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < eventsPerRound) await track(next++);
  };
  return timed(() => Promise.all(Array.from({ length: inFlight }, loop)));
}

/** What a careful person writes: the loop of the recipe for `fetch`. */
async function postTo(url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const usual = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...usual, ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    if (response && response.status < 300) return response.json();
    if (response && response.status < 500 && response.status !== 429) throw new Error(`answered ${response.status}`);
    if (attempt === 5) throw new Error("not answered");
    await sleep(1_000 * Number(response?.headers.get("retry-after") ?? 2 ** attempt / 10));
  }
}
