import { TrackerError } from "../../lib/model/errors.ts";
import type { Storage } from "../../lib/storage/port.ts";

/** This adapter has no log of changes. */
export function createSubscriptions(): Pick<
  Storage,
  "readClock" | "logChanges" | "listChanges" | "readLogEnd" | "removeOldChanges"
> {
  const refuse = async (): Promise<never> => {
    throw new TrackerError("storage_unavailable", { message: "Subscriptions need memoryStorage in this version." });
  };
  return { readClock: refuse, logChanges: refuse, listChanges: refuse, readLogEnd: refuse, removeOldChanges: refuse };
}
