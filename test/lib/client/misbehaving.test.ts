import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { suite } from "../../support/suite.ts";
import type { Ends } from "./calling-process.ts";
import { heavyWays, listWays, startMisbehavingProxy, ways } from "./misbehaving-proxy.ts";

/** Each call may take 8 s. One that goes on keeps all from being told, on a machine that does much else too. */
const processMaxMs = 150_000;

interface Ended {
  ends: Ends;
  exitCode: number | null;
  stderr: string;
}

/** The calls are made once for all tests, in a process that nobody ends. */
let ended: Promise<Ended> | null = null;

async function callAll(): Promise<Ended> {
  const proxy = startMisbehavingProxy();
  const script = join(import.meta.dirname, "calling-process.js");
  const calling = spawn(process.execPath, [script, proxy.url], { stdio: ["ignore", "pipe", "pipe"] });
  const killing = setTimeout(() => calling.kill("SIGKILL"), processMaxMs);
  try {
    const [output, stderr] = await Promise.all([text(calling.stdout), text(calling.stderr), once(calling, "close")]);
    return { ends: JSON.parse(output || "{}") as Ends, exitCode: calling.exitCode, stderr };
  } finally {
    clearTimeout(killing);
    proxy.close();
  }
}

suite("a call of the client", (test) => {
  for (const [way, { code }] of Object.entries({ ...ways, ...listWays, ...heavyWays })) {
    test(`ends with ${code} where a proxy ${way}`, async () => {
      const { ends } = await (ended ??= callAll());
      assert.deepEqual(ends[way], way in listWays ? [code, code] : [code]);
    });
  }

  test("leaves nothing that keeps its process", async () => {
    const { exitCode } = await (ended ??= callAll());
    assert.equal(exitCode, 0);
  });

  test("prints one line of its client at the first wait for a limit, and nothing else", async () => {
    const { stderr } = await (ended ??= callAll());
    const line = /^whodid\/client: the server limits the requests; a call waits \d+ s\. Later waits print nothing\.$/;
    const lines = stderr.trim().split("\n");
    // Two of the ways say 429 and let it be tried again.
    assert.equal(lines.length, 2, stderr);
    for (const printed of lines) assert.match(printed, line);
  });
});
