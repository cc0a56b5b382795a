export { createCallersRunner } from "./callers.ts";
export { createManagedTransactions } from "./managed.ts";
export { createOwnRunner, type WriteAtOnce, type OwnRunner } from "./own.ts";
export { endOfTries, newRetryState, nextPauseMs, prepareRetry, type RetryState } from "./retries.ts";
export { assertCaughtUp, readNumber, rowLocked, type Findings, type Runner, type Step, type Work } from "./work.ts";
export { createCache } from "./cache.ts";
export { isDeletedWorkspace, readMarks } from "./workspace-marks.ts";
export { readOne, writeOne } from "./one-item.ts";
