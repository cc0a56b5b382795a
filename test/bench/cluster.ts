import { setTimeout as sleep } from "node:timers/promises";
import { startGalera, type Galera } from "../cluster/galera.ts";
import { assertTables } from "../faults/checks.ts";
import { underLoad, type Stage } from "../faults/under-load.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import { watchCores } from "./cores.ts";
import { compareInRounds, format, median, type Figures } from "./rounds.ts";
import { kill, loadAll, makeContacts, startWhodid, warmUp, type Service } from "./services.ts";

/** Servers have these by default, and the tests less. The buffer pool is smaller than theirs: there are four. */
const serverArguments = ["--innodb-buffer-pool-size=256M", "--innodb-flush-log-at-trx-commit=1"];
const connections = 96;

/**
 * Servers on three nodes of Galera: their throughput beside that of one on a node, and on a MariaDB by itself; then what becomes of
 * requests when a node is killed: `npm run bench -- cluster [KILLS]`, 10 by default. All share the cores of this machine.
 */
export async function run(kills = "10"): Promise<void> {
  const [galera, single] = await Promise.all([
    startGalera(serverArguments, { losesNodes: true }),
    startDatabase({ serverArguments }),
  ]);
  if ("unavailable" in galera) throw new Error(galera.unavailable);
  if ("unavailable" in single) throw new Error(single.unavailable);
  try {
    await compare(galera, single);
    await killNodes(galera, Number(kills));
  } finally {
    await Promise.all([galera.stop(), single.stop()]);
  }
}

interface Measured extends Service {
  metricsUrl: string;
}

async function startWithMetrics(databaseUrl: string): Promise<Measured> {
  const metrics = await freePort();
  const service = await startWhodid(databaseUrl, { environment: { METRICS: String(metrics) } });
  return { ...service, metricsUrl: `http://127.0.0.1:${metrics}/metrics` };
}

async function compare(galera: Galera, single: Database): Promise<void> {
  console.log(`\nPOST /events, ${connections} connections; servers, nodes and load share this machine's cores`);
  const alone = await startWithMetrics(single.url);
  const nodes: Measured[] = [];
  for (const url of galera.urlsOf(galera.database.url)) nodes.push(await startWithMetrics(url));
  const databases = [single.pid!, ...galera.pids()];
  for (const service of [alone, nodes[0]!]) await makeContacts(service);
  await warmUp([alone, ...nodes], connections / nodes.length);
  const measure = (services: readonly Measured[]) => () => loadAndCount(services, databases);
  await compareInRounds(5, {
    "one MariaDB, no cluster": measure([alone]),
    "three nodes, one written to": measure(nodes.slice(0, 1)),
    "three nodes, all written to": measure(nodes),
  });
  kill([alone, ...nodes]);
}

async function loadAndCount(services: readonly Measured[], databases: number[]): Promise<Figures> {
  const before = await countAll(services);
  const coresSince = watchCores({ "the servers": services.map((one) => one.process.pid!), "the databases": databases });
  const figures = await loadAll(services, connections);
  const cores = coresSince();
  const after = await countAll(services);
  const commits = after.batches - before.batches;
  return {
    ...figures,
    "events a commit": (after.items - before.items) / commits,
    "% of commits repeated": (100 * (after.conflicts - before.conflicts)) / commits,
    ...cores,
  };
}

interface Counted {
  batches: number;
  items: number;
  conflicts: number;
}

/** Conflicts are what Galera answers when another node was first (1213). */
async function countAll(services: readonly Measured[]): Promise<Counted> {
  const texts = await Promise.all(services.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()));
  const sum = (pattern: RegExp): number =>
    texts.reduce((total, text) => total + Number(pattern.exec(text)?.[1] ?? 0), 0);
  return {
    batches: sum(/^whodid_batches_total\{kind="events"\} (\d+)/m),
    items: sum(/^whodid_batch_items_total\{kind="events"\} (\d+)/m),
    conflicts: sum(/^whodid_retries_total\{error="1213"\} (\d+)/m),
  };
}

/** Kills two of the nodes in turn. Each has a server, whose URL names its node first and then the others. */
async function killNodes(galera: Galera, kills: number): Promise<void> {
  console.log(`\n${kills} kills of a node under the load of the fault runs`);
  const onOthers: number[] = [];
  const onItsOwn: number[] = [];
  let urls: string[] = [];
  const ledger = await underLoad(
    galera.database,
    async (stage) => {
      urls = galera.urlsOf(stage.url);
      for (let round = 0; round < kills; round++) {
        const index = 1 + (round % 2);
        const waits = await watchWaits(stage, () => galera.kill9(index));
        onItsOwn.push(waits[index]!);
        onOthers.push(Math.max(...waits.filter((_, at) => at !== index)));
        await galera.rejoin(index);
        // It would stay with the node that it has gone on to.
        await stage.servers[index]!.stop();
        await stage.restartServer(index);
        await stage.load.flow();
      }
    },
    { urlOf: (url, index) => hostsFrom(galera.urlsOf(url), index) },
  );
  await galera.onEach("SET GLOBAL wsrep_sync_wait = 1");
  for (const url of urls) await assertTables(url, ledger);
  const spread = (values: number[]): string =>
    `${format(median(values))} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;
  console.log(`seconds without a write through the others     ${spread(onOthers)}`);
  console.log(`seconds without a write through its own server ${spread(onItsOwn)}`);
  console.log(`acknowledged ${ledger.events.length} events, each of which every node holds once and counts once`);
  console.log(`answers ${JSON.stringify(ledger.statuses)}`);
}

/** The URL with all hosts, those from the index on first. */
function hostsFrom(urls: readonly string[], index: number): string {
  const hosts = urls.map((_, step) => new URL(urls[(index + step) % urls.length]!).host);
  return urls[index]!.replace(hosts[0]!, hosts.join(","));
}

/** How long, in seconds, each server acknowledged nothing at most, from the fault on until all acknowledge again. */
async function watchWaits({ servers, load: sent }: Stage, fault: () => Promise<void>): Promise<number[]> {
  const waits = servers.map(() => 0);
  const count = async (): Promise<number[]> => {
    const { acknowledged } = await sent.counts();
    return servers.map(({ port: of }) => acknowledged[of]!);
  };
  const begun = performance.now();
  await fault();
  let counts = await count();
  let last = servers.map(() => begun);
  for (;;) {
    await sleep(10);
    const next = await count();
    const now = performance.now();
    last.forEach((at, index) => (waits[index] = Math.max(waits[index]!, (now - at) / 1_000)));
    last = last.map((at, index) => (next[index]! > counts[index]! ? now : at));
    counts = next;
    // Right after the fault, what was certified before is still acknowledged.
    if (now - begun > settledMs && last.every((at) => now - at < flowingMs)) return waits;
    if (now - begun > patienceMs) throw new Error(`no writes for ${waits.map(format).join(", ")} seconds`);
  }
}

const settledMs = 6_000;
const flowingMs = 200;
const patienceMs = 40_000;
