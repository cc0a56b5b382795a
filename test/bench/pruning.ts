import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Rule, type Tracker } from "../../lib/index.ts";
import { deletionServer } from "../support/deletion.ts";
import { startDatabase } from "../support/database.ts";
import { openMysql } from "../support/mysql.ts";
import { fillBehaviour, now } from "./behaviour-data.ts";
import { format } from "./rounds.ts";

const writers = 32;
const pauseMs = 20;
const usualMs = 15_000;
const halfAYearMs = (365 / 2) * 86_400_000;

const rules: Rule[] = [
  { kind: "has_done", eventKey: "signup" },
  { kind: "has_not_done", eventKey: "step_01" },
  { kind: "count_greater_than", eventKey: "step_02", count: 2 },
  { kind: "first_done_within", eventKey: "signup", period: { to: new Date(now - halfAYearMs).toISOString() } },
  { kind: "last_done_within", eventKey: "step_03", period: { from: new Date(now - halfAYearMs).toISOString() } },
];

/** Removes half of the events beside others' writes: how long these take, against the usual; audiences are counted before and after. */
export async function run(contacts = "100000", events = "2000000"): Promise<void> {
  const serverArguments = [...deletionServer, "--innodb-buffer-pool-size=1G"];
  const server = await startDatabase({ serverArguments });
  if ("unavailable" in server) return;
  const { url, pool, dispose } = await openMysql(server);
  const tracker = createTracker({ storage: mysqlStorage(url) });
  await fillBehaviour(pool, { contacts: Number(contacts), events: Number(events), isInOrder: true });
  const count = (): Promise<number[]> => Promise.all(rules.map((rule) => tracker.audiences.count(rule)));
  const before = await count();
  const write = (until: () => boolean): Promise<number[]> => writeUntil(tracker, Number(contacts), until);
  const stopAt = (ms: number): (() => boolean) => {
    const end = performance.now() + ms;
    return () => performance.now() >= end;
  };
  await write(stopAt(3_000));
  const usual = report("usual", await write(stopAt(usualMs)));

  let isPruned = false;
  const beside = write(() => isPruned);
  const begun = performance.now();
  const { pruned } = await tracker.events.prune({ before: new Date(now - halfAYearMs) });
  isPruned = true;
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`${format(pruned)} events removed in ${format(seconds)} s, ${format(pruned / seconds)} a second`);
  const meanwhile = report("beside the pruning", await beside);
  console.log(`p99 of others as a share of the usual: ${(meanwhile / usual).toFixed(2)}`);
  assert.deepEqual(await count(), before);
  console.log(`the counts of ${rules.length} audiences are as before: ${before.map(format).join(", ")}`);
  await tracker.close();
  await dispose();
  await server.stop();
}

/** Some writers with pauses, so that the server is not busy: how long each write took. They write a key that no rule is about. */
async function writeUntil(tracker: Tracker, contacts: number, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  const one = async (): Promise<void> => {
    while (!isOver()) {
      const externalId = `user${Math.floor(Math.random() * contacts)}@example.com`;
      const begun = performance.now();
      await tracker.events.track({ externalId, eventKey: "beside" });
      waits.push(performance.now() - begun);
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: writers }, one));
  return waits;
}

function report(name: string, waits: number[]): number {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  console.log(
    `${name}: ${format(waits.length)} writes, median ${format(at(0.5))} ms, p99 ${format(at(0.99))} ms, longest ${format(at(0.99999))} ms`,
  );
  return at(0.99);
}
