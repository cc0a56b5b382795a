import { formatCount, formatSeconds, tellProgress } from "../progress.ts";
import { print } from "../print.ts";
import { readDay, UsageError } from "../settings.ts";
import { onWorkspace, readOptions } from "./database-command.ts";

/** `prune --before DATE` removes the events from before that time. */
export async function pruneCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, values } = readOptions<{ before?: string }>(args, { before: { type: "string" } });
  const { before, workspace, json } = values;
  if (before === undefined || positionals.length > 0) throw new UsageError();
  const request = { before: new Date(readDay("--before", before)) };
  const startedAt = performance.now();
  let removed = 0;
  const parts = (): string[] => {
    const seconds = (performance.now() - startedAt) / 1_000;
    return [`${formatCount(removed)} events`, `${formatCount(removed / seconds)}/s`, formatSeconds(seconds)];
  };
  await onWorkspace(environment, workspace, async ({ events }) => {
    const end = tellProgress(process.stderr, parts);
    const done = await events.prune(request, (pruned) => (removed = pruned)).finally(end);
    print(json, [`removed ${done.pruned} events`], done);
  });
}
