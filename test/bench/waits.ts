import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../support/database.ts";
import { watchCores } from "./cores.ts";
import { onDatabase } from "./databases.ts";
import { format, percentile } from "./rounds.ts";
import { before, checkout, key, kill, post, startWhodid, type Service } from "./services.ts";

const eventsPerSecond = 20;
const settleMs = 5_000;

const subscriptions = [
  { key: "none", on: { events: ["never"] } },
  { key: "each", on: { events: ["step"] } },
];

/** The waiters of each measurement, and the subscription that they read: it takes none of the events, or each. */
const measurements = [
  ["none", 0],
  ["none", 1_000],
  ["each", 100],
  ["each", 500],
  ["each", 1_000],
] as const;

/**
 * 20 events a second on MariaDB beside requests that wait for changes: `npm run bench -- waits [SECONDS [SERVERS]]`. The waiters are
 * spread over the servers; the events go to the first one. With BEFORE also another version.
 */
export async function run(seconds = "30", servers = "1"): Promise<void> {
  await onDatabase([], async (database) => {
    for (const of of [before, checkout]) {
      if (of === undefined) continue;
      const url = await database.createDatabase();
      const services: Service[] = [];
      for (let n = 0; n < Number(servers); n++)
        services.push(await startWhodid(url, { of, provision: { subscriptions } }));
      await post(services[0]!, "/contacts", { email: "ada@example.com" });
      console.log(`\n${of}, ${servers} of them`);
      for (const [subscription, waiters] of measurements) {
        await measure(services, database, { subscription, waiters, seconds: Number(seconds) });
      }
      kill(services);
    }
  });
}

async function measure(
  services: readonly Service[],
  database: Database,
  { subscription, waiters, seconds }: { subscription: string; waiters: number; seconds: number },
): Promise<void> {
  const children = services.map(({ url }) => {
    const settings = { SERVER: url, KEY: key, SUBSCRIPTION: subscription, WAITERS: String(waiters / services.length) };
    return fork(join(import.meta.dirname, "waiters.js"), { env: { ...process.env, ...settings } });
  });
  await track(services[0]!, settleMs / 1_000);
  await Promise.all(children.map(take));
  const pids = services.map((service) => service.process.pid!);
  const coresSince = watchCores({ "the servers": pids, "the database": [database.pid!] });
  const { times, refused } = await track(services[0]!, seconds);
  const cores = coresSince();
  const answers = await Promise.all(children.map(take));
  for (const child of children) child.kill("SIGKILL");
  const sum = (name: string): number => answers.reduce((all, each) => all + (each[name] ?? 0), 0);
  const at = (share: number): string => format(percentile(times, share));
  console.log(
    `${waiters} that take ${subscription}: events p50 ${at(0.5)} ms, p99 ${at(0.99)}, refused ${refused}; ` +
      `answers ${sum("200")} (${sum("with changes")} with changes), 503 ${sum("503")}, broken ${sum("broken")}; ` +
      `cores of the servers ${format(cores["cores of the servers"] ?? NaN)}, of the database ${format(cores["cores of the database"] ?? NaN)}`,
  );
}

/** Resolves with the milliseconds of the events, and the number of those that were refused. */
async function track(service: Service, seconds: number): Promise<{ times: number[]; refused: number }> {
  const event = { externalId: "ada@example.com", eventKey: "step" };
  const times: number[] = [];
  let refused = 0;
  const trackOne = async (): Promise<void> => {
    const since = performance.now();
    if ((await post(service, "/events", event)) !== 201) refused++;
    times.push(performance.now() - since);
  };
  const tracking: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; n < seconds * eventsPerSecond; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / eventsPerSecond - performance.now()));
    tracking.push(trackOne());
  }
  await Promise.all(tracking);
  return { times, refused };
}

async function take(child: ChildProcess): Promise<Record<string, number>> {
  const answer = once(child, "message");
  child.send("take");
  return ((await answer) as [Record<string, number>])[0];
}
