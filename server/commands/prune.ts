import { formatTime } from "../../lib/model/times.ts";
import { formatCount, formatSeconds, tellProgress } from "../progress.ts";
import { print } from "../print.ts";
import { readDay, CommandError, UsageError } from "../settings.ts";
import { onWorkspace, readOptions } from "./database-command.ts";

interface Options {
  before?: string;
  "dry-run"?: boolean;
  yes?: boolean;
  force?: boolean;
}

/**
 * `prune --before DATE --yes` removes the events from before DATE. With `--dry-run`, or without `--yes`, it only counts them.
 * `--force` also removes events that the rules of audiences count.
 */
export async function pruneCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { values } = readOptions<Options>(args, {
    before: { type: "string" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
    force: { type: "boolean" },
  });
  const { before: given, workspace, json, "dry-run": isDryRun = false, yes = false, force = false } = values;
  if (given === undefined) throw new UsageError("prune needs --before DATE.");
  if (isDryRun && yes) throw new UsageError("--dry-run removes nothing: leave out --yes.");
  const before = formatTime(readDay("--before", given));
  const startedAt = performance.now();
  let counted = 0;
  const parts = (): string[] => {
    const seconds = (performance.now() - startedAt) / 1_000;
    return [`${formatCount(counted)} events`, `${formatCount(counted / seconds)}/s`, formatSeconds(seconds)];
  };
  await onWorkspace(environment, workspace, async ({ events }) => {
    const end = tellProgress(process.stderr, parts);
    const request = { before, dryRun: !yes, force };
    const { pruned, recent } = await events.prune(request, (count) => (counted = count)).finally(end);
    const lines = [`${yes ? "removed" : "to remove"} ${pruned} events from before ${before}`];
    if (recent > 0) lines.push(`${recent} more were recorded less than an hour ago and stay until a later prune`);
    print(json, lines, { [yes ? "pruned" : "toPrune"]: pruned, recent });
    if (yes || isDryRun) return;
    throw new CommandError(
      "Nothing was removed: prune needs --yes. It also refuses earlier events from then on, for good.",
    );
  });
}
