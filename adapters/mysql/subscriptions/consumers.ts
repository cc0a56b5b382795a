import { TrackerError } from "../../../lib/model/errors.ts";
import type { ConsumerStorage } from "../../../lib/storage/consumer-port.ts";

/** This adapter does not share changes among consumers yet. */
export function createConsumers(): ConsumerStorage {
  const refuse = async (): Promise<never> => {
    throw new TrackerError("storage_unavailable", { message: "Consumers need memoryStorage in this version." });
  };
  return {
    takeChanges: refuse,
    acknowledge: refuse,
    listParked: refuse,
    releaseParked: refuse,
    resumeChanges: refuse,
    watchChanges: () => () => {},
  };
}
