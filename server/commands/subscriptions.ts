import { once } from "node:events";
import { eachItem } from "../../lib/bulk/each.ts";
import type { ParkedContact } from "../../lib/model/consumer-types.ts";
import type { Subscription } from "../../lib/model/types.ts";
import type { Workspace } from "../../lib/methods/index.ts";
import { print, visible } from "../print.ts";
import { UsageError } from "../settings.ts";
import { stopSignal } from "../signals.ts";
import { onWorkspace, readAction } from "./database-command.ts";

const text = { type: "string" } as const;
const actions = {
  list: {},
  tail: { names: ["KEY"], options: { after: text } },
  parked: { names: ["KEY"] },
  retry: { names: ["KEY", "CHANGE"] },
  drop: { names: ["KEY", "CHANGE"] },
  resume: { names: ["KEY"], options: { from: text } },
};

/**
 * `subscriptions list`, `tail KEY [--after CURSOR]`, `parked KEY`, `retry KEY CHANGE`, `drop KEY CHANGE` and
 * `resume KEY --from oldest | now`.
 */
export async function subscriptionsCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const read = readAction<{ after?: string; from?: string }>("subscriptions", args, actions);
  const { action, positionals, values } = read;
  const { workspace, json, after } = values;
  const from = action === "resume" ? readFrom(values.from) : "oldest";
  const [key = "", changeId = ""] = positionals;
  await onWorkspace(environment, workspace, async ({ subscriptions }) => {
    switch (action) {
      case "parked":
        for await (const contact of eachItem(
          (page) => subscriptions.parked(key, page),
          () => ({}),
        ))
          print(json, [lineOfParked(contact)], contact);
        return;
      case "retry":
        await subscriptions.retry(key, changeId);
        return print(json, ["to be tried again"], { retried: changeId });
      case "drop":
        await subscriptions.drop(key, changeId);
        return print(json, ["dropped"], { dropped: changeId });
      case "resume":
        await subscriptions.resume(key, { from });
        return print(json, ["resumed"], { resumed: key, from });
    }
    // Fails if the database does not answer. Reading the changes would wait for it instead.
    const listed = await subscriptions.list();
    if (action === "list") print(json, listed.map(lineOf), listed);
    else await printChanges(subscriptions, key, after);
  });
}

function readFrom(from: string | undefined): "oldest" | "now" {
  if (from !== "oldest" && from !== "now")
    throw new UsageError("subscriptions resume needs --from oldest or --from now.");
  return from;
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

function lineOf({ key, on, keepDays, current }: Subscription): string {
  return `${key}  ${JSON.stringify(on)}  ${keepDays} days${current ? `  current: ${current}` : ""}`;
}

function lineOfParked({ changeId, contactId, change, error, tries, parkedAt }: ParkedContact): string {
  const contact = change?.contact.externalId ?? contactId;
  return `${changeId}  ${change?.kind ?? "no longer kept"}  ${contact}  ${tries} tries  parked ${parkedAt}  ${error}`;
}
