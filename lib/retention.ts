/** Removes old events. */
import { setTimeout as sleep } from "node:timers/promises";
import { issue, TrackerError } from "./model/errors.ts";
import { parse, refuse } from "./input/shapes.ts";
import { pruneRequestStruct } from "./input/structs.ts";
import { heldContactWaitMs, idTimeMaxMs, recordedStaysMs } from "./model/limits.ts";
import type { Scope } from "./scope.ts";
import type { Position, PruneStep } from "./storage/rows.ts";
import { parseTime } from "./model/times.ts";

/**
 * Removes the events from before the time, in order. First stores that they are not kept, so that none is recorded again after
 * it was removed. Events recorded in the last hour stay until the next call: `recent` is their number. A dry run counts alone.
 */
export async function pruneEvents(
  scope: Scope,
  input: unknown,
  onProgress: (pruned: number) => void = () => {},
): Promise<{ pruned: number; recent: number }> {
  const { storage, workspace } = scope;
  const { before: given, dryRun = false } = parse(input, pruneRequestStruct);
  // `pruneRequestStruct` accepts only what is a time.
  const before = parseTime(given) as number;
  const now = scope.now();
  if (before > now) refuse([issue("before", "out_of_range", "Must not be later than now.")]);
  if (!dryRun) await storage.markPruned(workspace, before);
  const recordedBefore = now - recordedStaysMs;
  const pruned = await pass(
    (after) => storage.pruneEvents(workspace, { before, recordedBefore, after, dryRun }),
    onProgress,
  );
  const left = await pass((after) =>
    storage.pruneEvents(workspace, { before, recordedBefore: idTimeMaxMs, after, dryRun: true }),
  );
  return { pruned, recent: dryRun ? left - pruned : left };
}

/** Runs step after step; goes back to what was held as long as something is removed, or for `heldContactWaitMs`. */
async function pass(
  step: (after: Position | null) => Promise<PruneStep>,
  onProgress: (pruned: number) => void = () => {},
): Promise<number> {
  let total = 0;
  let after: Position | null = null;
  // Where the first step began that left something.
  let leftAfter: Position | null | undefined;
  let until = performance.now() + heldContactWaitMs;
  for (;;) {
    const begun = performance.now();
    const { pruned, held, next } = await step(after);
    if (pruned > 0) {
      total += pruned;
      onProgress(total);
      until = performance.now() + heldContactWaitMs;
    }
    if (held && leftAfter === undefined) leftAfter = after;
    if (next === null && leftAfter === undefined) return total;
    if (next === null && performance.now() >= until) throw new TrackerError("storage_unavailable");
    // As long as the step took, so that others have half of the time for themselves.
    await sleep(next === null ? retryPauseMs : performance.now() - begun);
    after = next ?? leftAfter ?? null;
    if (next === null) leftAfter = undefined;
  }
}

const retryPauseMs = 100;
