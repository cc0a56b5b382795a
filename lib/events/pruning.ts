/** Removes old events. */
import { setTimeout as sleep } from "node:timers/promises";
import { refusalOfPruning } from "../decisions/seen-events.ts";
import { issue, TrackerError } from "../model/errors.ts";
import { parse, refuse } from "../input/shapes.ts";
import { pruneRequestStruct } from "../input/structs.ts";
import { lockedContactWaitMs, idTimeMaxMs, recordedStaysMs } from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import { errorOf } from "../storage/refusals.ts";
import type { Position, PruneStep } from "../storage/rows.ts";
import { parseTime } from "../model/times.ts";

/**
 * Removes the events from before the time, in order. First calls `markPruned`, so that a removed event cannot be recorded again.
 * Events recorded in the last hour stay until the next call; `recent` is their number. A dry run only counts.
 */
export async function pruneEvents(
  scope: Scope,
  input: unknown,
  onProgress: (pruned: number) => void = () => {},
): Promise<{ pruned: number; recent: number }> {
  const { storage, workspace } = scope;
  if (typeof onProgress !== "function") throw new TypeError("events.prune takes its options before the function");
  const { before: given, dryRun = false, force = false } = parse(input, pruneRequestStruct);
  // `pruneRequestStruct` accepts only what is a time.
  const before = parseTime(given) as number;
  const now = scope.now();
  if (before > now) refuse([issue("before", "out_of_range", "Must not be later than now.")]);
  if (!dryRun && !force) await assertUnseen(scope, before, now);
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

/** Throws `definition_in_use` if a defined audience still counts kept events from before `before`. */
async function assertUnseen({ storage, workspace }: Scope, before: number, now: number): Promise<void> {
  const audiences = await storage.listDefinitions(workspace, "audience", { maxAgeMs: 0 });
  const prunedBefore = await storage.findPrunedBefore(workspace);
  const refusal = refusalOfPruning({ before, prunedBefore, now }, audiences);
  if (refusal) throw errorOf(refusal);
}

/** Runs all steps, and repeats those that met locked contacts. Gives up `lockedContactWaitMs` after the last removal. */
async function pass(
  step: (after: Position | null) => Promise<PruneStep>,
  onProgress: (pruned: number) => void = () => {},
): Promise<number> {
  let total = 0;
  let after: Position | null = null;
  // The start of the first step that met a locked contact.
  let leftAfter: Position | null | undefined;
  let until = performance.now() + lockedContactWaitMs;
  for (;;) {
    const begun = performance.now();
    const { pruned, held, next } = await step(after);
    if (pruned > 0) {
      total += pruned;
      onProgress(total);
      until = performance.now() + lockedContactWaitMs;
    }
    if (held && leftAfter === undefined) leftAfter = after;
    if (next === null && leftAfter === undefined) return total;
    if (next === null && performance.now() >= until) throw new TrackerError("storage_unavailable");
    // Pauses as long as the step took, which leaves half of the database's time to other calls.
    await sleep(next === null ? retryPauseMs : performance.now() - begun);
    after = next ?? leftAfter ?? null;
    if (next === null) leftAfter = undefined;
  }
}

const retryPauseMs = 100;
