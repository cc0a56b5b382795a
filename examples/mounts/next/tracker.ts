// Kept where a reload of the module does not reach it.
import { createTracker, type Tracker } from "whodid";
import { memoryStorage } from "whodid/memory";

const kept = globalThis as { tracker?: Tracker };

export const tracker: Tracker = (kept.tracker ??= createTracker({ storage: memoryStorage() }));
