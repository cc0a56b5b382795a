// The global object keeps the tracker when a reload runs the module again.
import { createTracker, type Tracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const kept = globalThis as { tracker?: Tracker };

export const tracker: Tracker = (kept.tracker ??= createTracker({ storage: memoryStorage() }));
