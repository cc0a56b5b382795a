/** A process of its own that calls at random, in several loops, and notes calls and answers, until it is told to end. */
import { setTimeout as sleep } from "node:timers/promises";
import { createPool, type Connection } from "mysql2/promise";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../../lib/index.ts";
import { pastMs, pastStart, workspaces } from "./calls.ts";
import { chooseCall } from "./choices.ts";
import { createLog, readLog, type Note } from "./log.ts";
import { performCall, type Application } from "./perform-call.ts";
import { createRandom } from "./random.ts";

/** What a worker is started with. */
export interface WorkerPlan {
  /** Its number, and how many it has followed. */
  name: string;
  seed: string;
  /** The database of the tracker, and of the application. */
  url: string;
  ownUrl: string;
  log: string;
  /** Of the run, in milliseconds since the Unix epoch. */
  startsAt: number;
  endsAt: number;
  /** Whether it moves changes into the log, or reads them. */
  passes: boolean;
}

const loops = 6;
const pauseMaxMs = 20;
/** A deletion takes 20 s. */
const deletionPauseMaxMs = 30_000;

let isEnding = false;

async function work({ name, seed, url, ownUrl, log, startsAt, endsAt, passes }: WorkerPlan): Promise<void> {
  const note = createLog(log);
  const storage = mysqlStorage(url);
  const application: Application = {
    storage,
    tracker: createTracker({ storage, rateLimit: false }),
    pool: createPool({ uri: ownUrl, connectionLimit: loops, connectTimeout: 5_000 }),
  };
  const pruneBefore = (): number => {
    const part = (Date.now() - startsAt) / (endsAt - startsAt);
    return pastStart + Math.floor(pastMs * Math.min(Math.max(part, 0), 1));
  };
  const loop = async (index: number): Promise<void> => {
    const random = createRandom(`${seed} ${name} ${index}`);
    for (let number = 0; !isEnding; number++) {
      const id = `${name}.${index}.${number}`;
      await performCall(application, id, chooseCall(random, id, number, pruneBefore), note);
      await sleep(random.below(pauseMaxMs));
    }
  };
  const deleteWorkspaces = async (): Promise<void> => {
    const random = createRandom(`${seed} ${name} deletions`);
    // Two of four workers delete the same one.
    const workspace = workspaces[Number.parseInt(name) % workspaces.length]!;
    for (let number = 0; !isEnding; number++) {
      await sleep(random.below(deletionPauseMaxMs));
      const id = `${name}.deletion.${number}`;
      await performCall(application, id, { do: "deleteWorkspace", steps: [], workspace }, note);
    }
  };
  // Nobody waits for the last one: the tracker is closed under it.
  void deleteWorkspaces();
  const changes = passes ? application.tracker.work() : startReader(application.tracker, log, note);
  await Promise.all(Array.from({ length: loops }, (_, index) => loop(index)));
  await changes.stop();
  await application.tracker.close();
  // A connection whose server is gone may keep this waiting.
  void application.pool.end().catch(() => {});
  process.exit(0);
}

/** Notes each change behind those that the worker which had the log before has noted. */
function startReader({ subscriptions }: Tracker<Connection>, log: string, note: Note): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const after = readLog(log)
    .flatMap((line) => ("read" in line ? line.read.cursor : []))
    .at(-1);
  const read = async (): Promise<void> => {
    for await (const { id, cursor, contact } of subscriptions.changes("everything", { after, signal })) {
      note({ id: log, read: { id, cursor, contactId: contact.id } });
    }
  };
  // Any other failure ends the process.
  const ended = read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

process.on("message", (order: WorkerPlan | "end") => {
  if (order === "end") isEnding = true;
  else void work(order);
});
process.on("disconnect", () => process.exit(0));
