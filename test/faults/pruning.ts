import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { eventDraft, idAt } from "../../adapters/storage-contract/drafts.ts";
import { createTracker, TrackerError, type Tracker } from "../../lib/index.ts";
import { countBy } from "../support/queries.ts";
import { until } from "../support/within.ts";
import { knownEmails } from "./emails.ts";

/** The key of the events that are there before the load starts, and are removed while it runs. */
export const pastKey = "past";

const pastEvents = 20_000;
const aYearAgo = Date.now() - 365 * 86_400_000;

/** A pruning that goes on until `end`, through all faults. */
export interface Pruning {
  /** Resolves when no event of the past is left and their summaries are as they were. */
  end(): Promise<void>;
  /** Gives it up, and checks nothing. Harmless after `end`. */
  giveUp(): Promise<void>;
}

/**
 * Gives the contacts events of the past, then removes all events from before now, again and again: those of the load stay only
 * because they were recorded in the last hour.
 */
export async function startPruning(url: string): Promise<Pruning> {
  const storage = mysqlStorage(url);
  const tracker = createTracker({ storage });
  for (let first = 0; first < pastEvents; first += 1_000) {
    const drafts = Array.from({ length: 1_000 }, (_, index) => {
      const createdAt = aYearAgo + first + index;
      const contact = { email: knownEmails[(first + index) % knownEmails.length]! };
      const times = { createdAt, recordedAt: createdAt };
      return eventDraft({ workspace: "default", id: idAt(createdAt), contact, eventKey: pastKey, ...times });
    });
    // The load may hold a contact for longer than a call waits for it.
    await until(async () => (await storage.recordEvents(drafts)).every(isRecorded));
  }
  let isEnding = false;
  let isGivenUp = false;
  const pruneAgain = async (): Promise<void> => {
    for (;;) {
      const isLast = isEnding;
      const isDone = await prune(tracker);
      if ((isDone && isLast) || isGivenUp) return;
      await sleep(50);
    }
  };
  const pruned = pruneAgain();
  // It is awaited at the end.
  pruned.catch(() => {});
  return {
    async end() {
      isEnding = true;
      try {
        await pruned;
      } finally {
        await tracker.close();
      }
      await assertPruned(url);
    },
    async giveUp() {
      isGivenUp = true;
      await tracker.close();
    },
  };
}

/** Whether it came to its end, and did not meet the fault. */
async function prune({ events }: Tracker): Promise<boolean> {
  try {
    await events.prune({ before: new Date() });
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

function isRecorded(result: object | null): boolean {
  if (result === null || !("fault" in result)) return true;
  if (isUnavailable(result.fault)) return false;
  throw result.fault;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof TrackerError && error.code === "storage_unavailable";
}

async function assertPruned(url: string): Promise<void> {
  const ofThePast = `WHERE event_key = '${pastKey}'`;
  assert.equal(await countBy(url, `SELECT COUNT(*) AS n FROM whodid_events ${ofThePast}`), 0);
  assert.equal(await countBy(url, `SELECT SUM(event_count) AS n FROM whodid_summaries ${ofThePast}`), pastEvents);
}
