import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker, type Rule } from "../../lib/index.ts";
import { deletionServer } from "../support/deletion.ts";
import { openMysql, type OpenedMysql } from "../support/mysql.ts";
import { fillBehaviour, now } from "./behaviour-data.ts";
import { emailOf, onDatabase } from "./databases.ts";
import { format, percentile, timesBeside } from "./rounds.ts";

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
  await onDatabase(serverArguments, async (server) =>
    measure(await openMysql(server), Number(contacts), Number(events)),
  );
}

async function measure({ url, pool, dispose }: OpenedMysql, contacts: number, events: number): Promise<void> {
  const tracker = createTracker({ storage: mysqlStorage(url) });
  await fillBehaviour(pool, { contacts, events, isInOrder: true });
  const count = (): Promise<number[]> => Promise.all(rules.map((rule) => tracker.audiences.count(rule)));
  const before = await count();
  // With pauses, so that the server is not busy. They write a key that no rule is about.
  const writeBeside = (work: Promise<unknown>): Promise<number[]> =>
    timesBeside(
      work,
      writers,
      () => tracker.events.track({ externalId: emailOf(Math.floor(Math.random() * contacts)), eventKey: "beside" }),
      pauseMs,
    );
  await writeBeside(sleep(3_000));
  const usual = report("usual", await writeBeside(sleep(usualMs)));

  const begun = performance.now();
  const pruning = tracker.events.prune({ before: new Date(now - halfAYearMs) });
  const beside = writeBeside(pruning);
  const { pruned } = await pruning;
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`${format(pruned)} events removed in ${format(seconds)} s, ${format(pruned / seconds)} a second`);
  const meanwhile = report("beside the pruning", await beside);
  console.log(`p99 of others as a share of the usual: ${(meanwhile / usual).toFixed(2)}`);
  assert.deepEqual(await count(), before);
  console.log(`the counts of ${rules.length} audiences are as before: ${before.map(format).join(", ")}`);
  await tracker.close();
  await dispose();
}

function report(name: string, waits: number[]): number {
  const at = (share: number): number => percentile(waits, share);
  console.log(
    `${name}: ${format(waits.length)} writes, median ${format(at(0.5))} ms, p99 ${format(at(0.99))} ms, longest ${format(at(0.99999))} ms`,
  );
  return at(0.99);
}
