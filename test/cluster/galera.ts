import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fetchServerProgram } from "../support/database-program.ts";
import { startThrowawayServer, type Server } from "../support/database-server.ts";
import { openDatabase, type Database } from "../support/database.ts";
import { freePort } from "../support/loopback.ts";
import type { PackageSet } from "../support/packages.ts";
import { query } from "../support/queries.ts";
import { within } from "../support/within.ts";

/** Three nodes of Galera, all of which take writes. */
export interface Galera {
  /** By the first node. */
  database: Database;
  /** The address by which each node reaches the schema of a URL of the first. */
  urlsOf(url: string): string[];
  /** Of the nodes that are up. */
  pids(): number[];
  /** Kills the node of this index with SIGKILL; not the first, which began the cluster. */
  kill9(index: number): Promise<void>;
  /** Starts it again: it gets a copy of another node's data. Resolves once all nodes are of one cluster again. */
  rejoin(index: number): Promise<void>;
  /** Waits until all nodes are of one cluster, and runs the statement on every node. */
  onEach(statement: string): Promise<void>;
  stop(): Promise<void>;
}

/** The scripts for copying a node's data are in mariadb-server; they need rsync and programs of mariadb-client-core. */
const packages: PackageSet = {
  name: "galera",
  choices: [["mariadb-server", "mariadb-server-core", "mariadb-client-core", "galera-4", "rsync"]],
  suite: null,
};

/** Each has its address: the ports of one are not the others'. */
const hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"] as const;

/** How long a cluster waits for a node that does not answer before it goes on without it. */
export interface GaleraOptions {
  /**
   * Two seconds, for tests that kill a node; else half a minute. A node of a busy machine may get no processor for some seconds,
   * and refuses every statement while it is out of the cluster: tens of tests would fail within one second.
   */
  losesNodes?: boolean;
}

/** Starts the three nodes, with empty tables, each with the arguments too. `unavailable` says why it cannot. */
export async function startGalera(
  serverArguments: readonly string[] = [],
  { losesNodes = false }: GaleraOptions = {},
): Promise<Galera | { unavailable: string }> {
  const program = await fetchServerProgram(packages, "mariadbd");
  if (program === null) return { unavailable: "apt-get cannot fetch its packages here" };
  const root = dirname(dirname(dirname(program.path)));
  // Where the scripts find each other.
  program.environment["PATH"] = [join(root, "usr/bin"), process.env["PATH"]].join(delimiter);
  const planned = await Promise.all(hosts.map(planNode));
  const group = `gcomm://${planned.map(({ host, groupPort }) => `${host}:${groupPort}`).join(",")}`;
  const servers: Server[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    for (const node of planned) {
      const first = servers[0];
      const own = [
        ...argumentsOf(root, group, node, losesNodes ? 2 : 30),
        ...serverArguments,
        ...(first ? [] : ["--wsrep-new-cluster"]),
      ];
      servers.push(await startThrowawayServer(program, own, { host: node.host, joins: first ?? null }));
      await joined(servers, servers.length);
    }
    return await describe(servers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

interface PlannedNode {
  host: string;
  groupPort: number;
  /** Where what it missed arrives. */
  missedPort: number;
  /** Where a copy of another node's data arrives. */
  copyPort: number;
}

async function planNode(host: string): Promise<PlannedNode> {
  return {
    host,
    groupPort: await freePort(host),
    missedPort: await freePort(host),
    copyPort: await freePort(host),
  };
}

function argumentsOf(
  root: string,
  group: string,
  { host, groupPort, missedPort, copyPort }: PlannedNode,
  missedAfterSeconds: number,
): string[] {
  const providerOptions = [
    `gmcast.listen_addr=tcp://${host}:${groupPort}`,
    `ist.recv_addr=${host}:${missedPort}`,
    "gcache.size=64M",
    "evs.keepalive_period=PT0.5S",
    "evs.inactive_check_period=PT0.25S",
    `evs.suspect_timeout=PT${missedAfterSeconds}S`,
    `evs.inactive_timeout=PT${2 * missedAfterSeconds}S`,
  ];
  return [
    `--plugin-dir=${join(root, "usr/lib/mysql/plugin")}`,
    "--binlog-format=ROW",
    // With the default, the purge of many small transactions can take 10 GB within a minute.
    "--innodb-purge-batch-size=1",
    "--innodb-autoinc-lock-mode=2",
    "--wsrep-on=ON",
    `--wsrep-provider=${join(root, "usr/lib/galera/libgalera_smm.so")}`,
    `--wsrep-provider-options=${providerOptions.join(";")}`,
    "--wsrep-cluster-name=whodid",
    `--wsrep-cluster-address=${group}`,
    `--wsrep-node-name=${host}`,
    `--wsrep-node-address=${host}`,
    "--wsrep-sst-method=rsync",
    `--wsrep-sst-receive-address=${host}:${copyPort}`,
  ];
}

async function describe(servers: readonly Server[], stop: () => Promise<void>): Promise<Galera> {
  return {
    database: await openDatabase(servers[0]!),
    urlsOf: (url) =>
      servers.map(({ address }) => {
        const own = new URL(address);
        own.pathname = new URL(url).pathname;
        return own.href;
      }),
    pids: () => servers.flatMap((server) => server.pid() ?? []),
    async kill9(index) {
      if (index === 0) throw new Error("Started again, the first node would begin a cluster of its own.");
      await servers[index]!.kill9();
    },
    async rejoin(index) {
      for (let attempt = 1; ; attempt++) {
        try {
          await servers[index]!.restart();
          return await joined(servers, servers.length);
        } catch (error) {
          if (attempt === joinsMax) throw error;
          console.log(`node ${index} did not join, and is started again`);
        }
      }
    },
    async onEach(statement) {
      // Under load a node may leave for some seconds, and refuses all statements until it is back.
      await joined(servers, servers.length);
      for (const server of servers) await query(server.address.href, statement);
    },
    stop,
  };
}

/**
 * A node that is copied stops its commits first. Under load it may not come to that: what waits to commit can hold the rows that
 * another node's write waits for. It goes on when the node that wants the copy is gone.
 */
const joinsMax = 3;

/** Resolves once each of the servers is in step, in a cluster of that size. */
async function joined(servers: readonly Server[], size: number): Promise<void> {
  const status = `SELECT MAX(IF(VARIABLE_NAME = 'wsrep_local_state_comment', VARIABLE_VALUE, '')) AS state,
  MAX(IF(VARIABLE_NAME = 'wsrep_cluster_size', VARIABLE_VALUE, '')) AS size
FROM information_schema.GLOBAL_STATUS`;
  let isLate = false;
  const wait = async (server: Server): Promise<void> => {
    while (!isLate) {
      // Refused by a node that is not ready.
      const [row] = await query(server.address.href, status).catch(() => []);
      if (row?.["state"] === "Synced" && row["size"] === String(size)) return;
      await sleep(50);
    }
  };
  // Who went on asking would keep the run from ending.
  await within(180_000, `a cluster of ${size}`, Promise.all(servers.map(wait))).finally(() => (isLate = true));
}
