/**
 * `npm run long -- fuzz [MINUTES] [mysql] [seed=NUMBER]`: schemathesis sends what the OpenAPI document allows, and what it refuses, for
 * ten minutes without a number. Ends with `N passed, N failed`.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { startDatabase } from "../support/database.ts";
import { installPython, root } from "../support/installs.ts";
import { listening } from "../support/loopback.ts";
import { suite } from "../support/suite.ts";
import { defined, externalId, withDefinedKeys } from "./defined-keys.ts";

interface Report {
  failures: { type: string; operations: string[] }[];
  /** By operation and phase. */
  valid_rates: Record<string, Record<string, Record<"accepted" | "rejected" | "conflicts" | "unreachable", number>>>;
}

const args = process.argv.slice(2);
const isMysql = args.includes("mysql");
const seed = Number(args.find((arg) => arg.startsWith("seed="))?.slice(5) ?? Date.now() % 1_000_000);
const minutes = Number(args.find((arg) => Number(arg) > 0) ?? 10);
const installs = join(root, ".clients/fuzz");

const database = isMysql ? await startDatabase() : null;
const programs = installPython("fuzz", installs);
cpSync(join(root, "test/fuzz/schemathesis.toml"), join(installs, "schemathesis.toml"));

/** Sends requests for this document to a server with what `prepare` makes. Resolves with the report; the printed one is in a file of this name. */
async function send(
  name: string,
  document: object,
  options: readonly string[],
  prepare: (tracker: Tracker) => Promise<unknown> = async () => {},
): Promise<Report> {
  const [file, report] = [join(installs, "openapi.json"), join(installs, "report.json")];
  writeFileSync(file, JSON.stringify(document));
  rmSync(report, { force: true });
  assert.ok(!database || !("unavailable" in database));
  const mysql = database && mysqlStorage(await database.createDatabase());
  await mysql?.migrate();
  const tracker = createTracker({ storage: mysql ?? memoryStorage(), rateLimit: false });
  const { key, apiKey } = await tracker.apiKeys.create({ name: "fuzz", access: "admin" });
  const listener = toListener(tracker);
  const server = createServer((request, response) => {
    // Without its own key, everything would be refused from then on.
    request.url = request.url!.replace(apiKey.id, "the-own-key");
    void listener(request, response);
  });
  try {
    await prepare(tracker);
    await listening(server, async (port) => {
      const url = ["--url", `http://127.0.0.1:${port}/api/v1`, "--header", `Authorization: Bearer ${key}`];
      const all = ["--seed", String(seed), "--continue-on-failure", "--suppress-health-check", "all"];
      const given = [...url, ...all, "--report", "json", "--report-json-path", report, ...options];
      const run = promisify(execFile)(join(programs, "schemathesis"), ["run", file, ...given], {
        cwd: installs,
        maxBuffer: 2 ** 30,
      });
      // It exits with 1 if it has found something.
      const { stdout } = await run.catch((error: { stdout: string }) => error);
      writeFileSync(join(installs, `${name}.txt`), stdout);
    });
  } finally {
    await tracker.close();
  }
  return JSON.parse(readFileSync(report, "utf8")) as Report;
}

/** The operations whose valid requests may be refused: no schema knows cursors, defined keys, taken emails and the time. */
const refusingMax = 20;

suite(`the OpenAPI document and schemathesis, seed=${seed}`, (test) => {
  test("finds only requests that are refused for what no schema can say", async () => {
    const { failures } = await send("all", openApiDocument("/api/v1"), ["--max-time", String(minutes * 60)]);
    const refusals = failures.find(({ type }) => type === "RejectedPositiveData")?.operations ?? [];
    console.log(`${refusals.length} operations refuse valid requests: ${refusals.join(", ")}`);
    assert.deepEqual(
      failures.filter(({ type }) => type !== "RejectedPositiveData"),
      [],
      `see ${installs}/all.txt`,
    );
    assert.ok(refusals.length <= refusingMax);
  });

  test("at least half of the valid requests with rules are taken, if their keys are defined", async () => {
    const rules = ["putAudience", "previewAudience", "explainRule", "putChecklist", "putSubscription"];
    const only = rules.flatMap((name) => ["--include-operation-id", name]);
    const options = ["--phases", "fuzzing", "--mode", "positive", "--max-examples", "100", ...only];
    const { valid_rates: rates } = await send(
      "rules",
      withDefinedKeys(openApiDocument("/api/v1")),
      options,
      async (tracker) => {
        await tracker.provision(defined);
        await tracker.contacts.upsert({ email: "ada@example.com", externalId });
      },
    );
    const shares = Object.entries(rates).map(([operation, { fuzzing }]) => {
      const { rejected, ...taken } = fuzzing!;
      const sum = Object.values(taken).reduce((total, number) => total + number);
      return [operation, sum / (sum + rejected)] as const;
    });
    console.log(shares.map(([operation, share]) => `${operation}: ${Math.round(share * 100)} %`).join(", "));
    assert.equal(shares.length, rules.length);
    for (const [operation, share] of shares) assert.ok(share >= 0.5, operation);
  });
});
