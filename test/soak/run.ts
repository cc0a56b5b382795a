/**
 * Ten minutes of mixed load on a server on MySQL, or as many as the argument says: `npm run long -- soak 2`. Prints its memory
 * and its open files as it goes, and fails when in the second half they are more than in the first.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "../../lib/api-keys.ts";
import { median } from "../bench/rounds.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { runCommand, startServer } from "../support/server-process.ts";
import { sendTraffic } from "./traffic.ts";

const minutes = Number(process.argv[2] ?? 10);
const sampleCount = 20;
/** While the server warms up, it grows: the samples that count are those after it. */
const warmUpCount = 4;

/** What the medians may differ by: the heap breathes, and connections come and go. */
const margins = { rssMegabytes: 24, files: 12 };

interface Sample {
  rssMegabytes: number;
  files: number;
}

function takeSample(pid: number): Sample {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { rssMegabytes: Math.round(Number(kilobytes) / 1_024), files: readdirSync(`/proc/${pid}/fd`).length };
}

/** By how much the second half's median is above the first's. */
function growth(samples: readonly Sample[], of: keyof Sample): number {
  const values = samples.map((sample) => sample[of]);
  const half = Math.floor(values.length / 2);
  return median(values.slice(half)) - median(values.slice(0, half));
}

databaseSuite("a server under mixed load", await database(), (test, { createDatabase }) => {
  test("keeps its memory and its open files flat", async () => {
    const DATABASE_URL = await createDatabase();
    const environment = { DATABASE_URL, API_KEY: generateApiKey(), RATE_LIMIT: "1000000000" };
    const server = await startServer(environment);
    try {
      const keys = [environment.API_KEY];
      for (const name of ["second", "third"]) {
        const { stdout } = await runCommand(["keys", "create", "--name", name], { DATABASE_URL });
        keys.push(stdout.trim());
      }
      const intervalMs = (minutes * 60_000) / sampleCount;
      const traffic = sendTraffic(server.port, keys, Date.now() + minutes * 60_000);
      const samples: Sample[] = [];
      while (samples.length < sampleCount) {
        await sleep(intervalMs);
        const sample = takeSample(server.child.pid!);
        samples.push(sample);
        console.log(`${Math.round((samples.length * intervalMs) / 1_000)} s: ${JSON.stringify(sample)}`);
      }
      const statuses = await traffic;
      console.log(JSON.stringify(statuses));
      assert.deepEqual(Object.keys(statuses), ["200", "201", "400", "401", "404"]);
      const counted = samples.slice(warmUpCount);
      for (const of of ["rssMegabytes", "files"] as const) {
        const grown = growth(counted, of);
        assert.ok(grown <= margins[of], `${of} grew by ${grown}, more than ${margins[of]}`);
      }
      assert.equal((await server.stop()).exitCode, 0);
    } finally {
      server.child.kill("SIGKILL");
    }
  });
});
