import { once } from "node:events";
import type { Subscription } from "../../lib/model/types.ts";
import type { Workspace } from "../../lib/workspace.ts";
import { print, visible } from "../print.ts";
import { noCommand, UsageError } from "../settings.ts";
import { stopSignal } from "../signals.ts";
import { onWorkspace, readOptions } from "./database-command.ts";

/** `subscriptions list` and `subscriptions tail KEY [--after CURSOR]`. */
export async function subscriptionsCommand(
  [action = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  if (action !== "list" && action !== "tail") throw noCommand("subscriptions", action);
  const { positionals, values } = readOptions<{ after?: string }>(
    args,
    action === "tail" ? { after: { type: "string" } } : {},
  );
  const [key = ""] = positionals;
  const { workspace, json, after } = values;
  if (positionals.length !== (action === "tail" ? 1 : 0)) throw new UsageError();
  await onWorkspace(environment, workspace, async ({ subscriptions }) => {
    // A reader waits for a database that does not answer. This call fails instead.
    const listed = await subscriptions.list();
    if (action === "list") print(json, listed.map(lineOf), listed);
    else await printChanges(subscriptions, key, after);
  });
}

/** Prints each change as one line of JSON, until a signal comes. */
async function printChanges(
  subscriptions: Workspace["subscriptions"],
  key: string,
  after: string | undefined,
): Promise<void> {
  const signal = stopSignal();
  try {
    for await (const change of subscriptions.changes(key, { after, signal })) {
      if (!process.stdout.write(`${visible(JSON.stringify(change))}\n`))
        await once(process.stdout, "drain", { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function lineOf({ key, on, keepDays }: Subscription): string {
  return `${key}  ${JSON.stringify(on)}  ${keepDays} days`;
}
