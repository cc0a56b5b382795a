import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProxy, type Proxy } from "../../support/proxy.ts";
import { within } from "../../support/within.ts";
import { emptying } from "./calls.ts";
import { checkNodes } from "./check-nodes.ts";
import { findFaults, type Verdict } from "./checks.ts";
import { emptyWorkspaces } from "./empty.ts";
import { endConnections, harm, type Stage } from "./harms.ts";
import { now, readLog } from "./log.ts";
import { prepare } from "./prepare.ts";
import { createRandom } from "./random.ts";
import { readRows } from "./rows.ts";
import { startWorkers, type WorkerStart } from "./workers.ts";

const workerCount = 4;
/** The workers whose trackers reach the database by a proxy, which can lose a COMMIT. */
const proxiedCount = 2;

/** Lets workers call for so many seconds while things break, ends all calls, and compares the rows with what the workers know. */
export async function runRound(stage: Stage, seed: string, seconds: number): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "whodid-history-"));
  const clockOffset = Date.now() * 1_000 - now();
  await within(60_000, "making contacts", prepare(stage.urls[0]!, join(folder, "prepare")));
  const proxies: Proxy[] = [];
  while (proxies.length < proxiedCount) proxies.push(await startProxy(stage.urls[proxies.length % stage.urls.length]!));
  const startsAt = Date.now();
  const endsAt = startsAt + seconds * 1_000;
  const starts = Array.from({ length: workerCount }, (_, index): WorkerStart => {
    const ownUrl = stage.urls[index % stage.urls.length]!;
    const url = hostsInOrder([proxies[index]?.url ?? ownUrl, ...stage.urls.filter((other) => other !== ownUrl)]);
    const log = join(folder, `worker${index}`);
    return { seed, url, ownUrl, log, startsAt, endsAt, passes: index < proxiedCount };
  });
  const workers = startWorkers(starts);
  process.once("exit", workers.kill);
  try {
    const random = createRandom(`${seed} harms`);
    const harms = await harm({ ...stage, workers, proxies, random }, endsAt);
    const faults = await workers.end();
    await stage.settle?.();
    for (const url of stage.urls) await endAll(url);
    await within(60_000, "deleting workspaces", emptyWorkspaces(stage.urls[0]!, join(folder, emptying)));
    const lines = (await readdir(folder)).flatMap((name) => readLog(join(folder, name)));
    const findings: Verdict["findings"] = faults.map((text) => ({ text, callIds: [], check: "workers" }));
    const verdict: Verdict = { findings, lines, counts: harms, folder };
    const isCluster = stage.urls.length > 1;
    const nodes = await Promise.all(stage.urls.map((url) => within(60_000, "reading the rows", readRows(url))));
    findings.push(...checkNodes(nodes).map((one) => ({ ...one, check: "nodes" })));
    for (const rows of nodes) findFaults(verdict, rows, isCluster, clockOffset);
    if (verdict.findings.length === 0) await rm(folder, { recursive: true });
    return verdict;
  } finally {
    process.off("exit", workers.kill);
    workers.kill();
    for (const proxy of proxies) await proxy.close();
  }
}

/** One URL with several hosts. */
function hostsInOrder(urls: readonly string[]): string {
  const hosts = urls.map((url) => new URL(url).host);
  return urls[0]!.replace(hosts[0]!, hosts.join(","));
}

/** Waits until the server has no connection to the schema: what a killed client left has ended then. */
async function endAll(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  let left: number | null = null;
  do {
    // Those of killed clients end by themselves, unless they wait for something.
    left = await endConnections(url, Date.now() > deadline - 40_000 ? Infinity : 0);
    if (left === 0) return;
    await sleep(200);
  } while (Date.now() < deadline);
  throw new Error(`the database still has ${left} connections`);
}
