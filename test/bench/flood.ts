import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onDatabase } from "./databases.ts";
import { format, median } from "./rounds.ts";
import { key, kill, startWhodid, type Service } from "./services.ts";

const sockets = 20;
const seconds = 15;
const others = 8;
const pauseMs = 20;
/** Answered within this again, the others have what they had before. */
const recoveredMs = 50;
const patienceMs = 60_000;

/** Of attackers: see `flood-attackers.ts`. */
const manners = ["endless", "packets", "allowed"];

/**
 * What everybody else sees while attackers pipeline requests with unknown keys and connect anew when they are cut off:
 * `npm run bench -- flood [memory | mysql]`. Loopback only, 15 s of attack each.
 */
export async function run(only?: string): Promise<void> {
  if (only !== "mysql") await flood("memory", "");
  if (only !== "memory") await onDatabase([], ({ url }) => flood("MySQL", url));
}

async function flood(storage: string, databaseUrl: string): Promise<void> {
  for (const manner of manners) {
    const service = await startWhodid(databaseUrl, { environment: { RATE_LIMIT: "off" } });
    console.log(`\n${storage}, ${sockets} attackers, ${manner}`);
    await measure(service, manner);
    kill([service]);
  }
}

async function measure(service: Service, manner: string): Promise<void> {
  const port = Number(new URL(service.url).port);
  const clients = startOthers(port);
  await sleep(2_000);
  print("before", clients.take());
  const attackers = startAttackers(port, manner);
  const began = performance.now();
  const isUp = (): boolean => service.process.exitCode === null && service.process.signalCode === null;
  await Promise.race([once(attackers, "exit"), once(service.process, "exit"), sleep(seconds * 1_000 + patienceMs)]);
  attackers.kill("SIGKILL");
  const ended = performance.now();
  if (!isUp()) console.log(`the server died after ${format((ended - began) / 1_000)} s`);
  while (isUp() && performance.now() - ended < patienceMs) {
    const since = performance.now();
    await ask(new Agent(), port).catch(() => {});
    if (performance.now() - since < recoveredMs) break;
  }
  const recovered = performance.now() - ended;
  await clients.stop();
  print("under attack", clients.take());
  console.log(`recovery ${format(recovered / 1_000)} s`);
  if (isUp()) console.log(`peak RSS ${format(peakRss(service.process.pid!))} MB`);
}

function startAttackers(port: number, manner: string): ChildProcess {
  const settings = { PORT: String(port), SOCKETS: String(sockets), SECONDS: String(seconds), MANNER: manner };
  return fork(join(import.meta.dirname, "flood-attackers.js"), { env: { ...process.env, ...settings } });
}

interface Seen {
  times: number[];
  refused: number;
}

/** Ask one after another, each on a connection of its own. */
function startOthers(port: number): { take(): Seen; stop(): Promise<void> } {
  let seen: Seen = { times: [], refused: 0 };
  let going = true;
  const work = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (going) {
      const since = performance.now();
      const status = await ask(agent, port).catch(() => 0);
      seen.times.push(performance.now() - since);
      if (status !== 404) seen.refused++;
      await sleep(pauseMs);
    }
    agent.destroy();
  };
  const working = Promise.all(Array.from({ length: others }, work));
  return {
    take() {
      const taken = seen;
      seen = { times: [], refused: 0 };
      return taken;
    },
    async stop() {
      going = false;
      await working;
    },
  };
}

function ask(agent: Agent, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const asked = request({ agent, port, host: "127.0.0.1", path: "/api/v1/contacts/u_1", headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode!));
    });
    asked.setTimeout(patienceMs, () => asked.destroy()).once("error", reject);
    asked.end();
  });
}

function print(when: string, { times, refused }: Seen): void {
  const [middle, longest] = [format(median(times)), format(Math.max(...times))];
  console.log(
    `others ${when}: ${times.length} answers, median ${middle} ms, maximum ${longest} ms, ${refused} refused`,
  );
}

/** Where Linux tells it: proc(5). */
function peakRss(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}
