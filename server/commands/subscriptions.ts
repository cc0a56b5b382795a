import { once } from "node:events";
import { eachItem } from "../../lib/bulk/each.ts";
import type { ParkedContact } from "../../lib/model/consumer-types.ts";
import type { Subscription } from "../../lib/model/types.ts";
import type { WebhookSecret, WebhookStatus } from "../../lib/model/webhook-types.ts";
import type { Workspace } from "../../lib/methods/index.ts";
import { print, visible } from "../print.ts";
import { CommandError, readDay, UsageError } from "../settings.ts";
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
  secret: { names: ["KEY"] },
  secrets: { names: ["KEY"] },
  "delete-secret": { names: ["KEY", "ID"] },
  test: { names: ["KEY"] },
  enable: { names: ["KEY"] },
};

/**
 * `subscriptions list`, `tail KEY [--after CURSOR]`, `parked KEY`, `retry KEY CHANGE`, `drop KEY CHANGE` and
 * `resume KEY --from oldest | now | TIME`. For webhooks also `secret KEY`, `secrets KEY`, `delete-secret KEY ID`, `test KEY` and
 * `enable KEY`.
 */
export async function subscriptionsCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const read = readAction<{ after?: string; from?: string }>("subscriptions", args, actions);
  const { action, positionals, values } = read;
  const { workspace, json, after } = values;
  const from = action === "resume" ? readFrom(values.from) : "oldest";
  const [key = "", id = ""] = positionals;
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
        await subscriptions.retry(key, id);
        return print(json, ["to be tried again"], { retried: id });
      case "drop":
        await subscriptions.drop(key, id);
        return print(json, ["dropped"], { dropped: id });
      case "resume":
        await subscriptions.resume(key, { from });
        return print(json, ["resumed"], { resumed: key, from });
      case "secret": {
        const created = await subscriptions.createSecret(key);
        return print(json, [created.secret], created);
      }
      case "secrets": {
        const secrets = await subscriptions.secrets(key);
        return print(json, secrets.map(lineOfSecret), secrets);
      }
      case "delete-secret":
        await subscriptions.deleteSecret(key, id);
        return print(json, ["deleted"], { deleted: id });
      case "test": {
        const test = await subscriptions.sendTest(key);
        print(json, test.delivered ? ["delivered"] : [], test);
        if (!test.delivered) throw new CommandError(`The test was not delivered. ${test.error}`);
        return;
      }
      case "enable":
        await subscriptions.enable(key);
        return print(json, ["enabled"], { enabled: key });
    }
    // Fails if the database does not answer. Reading the changes would wait for it instead.
    const listed = await subscriptions.list();
    if (action === "tail") return printChanges(subscriptions, key, after);
    const shown = listed.map(async (subscription) => {
      if (subscription.url === undefined) return subscription;
      const webhook = await subscriptions.webhook(subscription.key);
      // Path and query may hold secrets, and the output may be kept.
      return { ...subscription, url: webhook.origin, webhook };
    });
    const items = await Promise.all(shown);
    print(json, items.map(lineOf), items);
  });
}

function readFrom(from: string | undefined): "oldest" | "now" | Date {
  if (from === undefined) throw new UsageError("subscriptions resume needs --from oldest, --from now or --from TIME.");
  return from === "oldest" || from === "now" ? from : new Date(readDay("--from", from));
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

function lineOf({ key, on, keepDays, current, webhook }: Subscription & { webhook?: WebhookStatus }): string {
  const messages = webhook ? `  ${webhook.origin}  ${stateOf(webhook)}` : "";
  return `${key}  ${JSON.stringify(on)}  ${keepDays} days${current ? `  current: ${current}` : ""}${messages}`;
}

function stateOf({ state, pausedUntil, downSince, disabledAt, disabledReason, lastError }: WebhookStatus): string {
  const details = {
    delivering: "",
    no_secret: "",
    paused: ` until ${pausedUntil}`,
    down: ` since ${downSince}: ${lastError}`,
    disabled: ` since ${disabledAt}: ${disabledReason}`,
  };
  return state + details[state];
}

function lineOfSecret({ id, createdAt, endsAt }: WebhookSecret): string {
  return `${id}  created ${createdAt}${endsAt === null ? "" : `  signs until ${endsAt}`}`;
}

function lineOfParked({ changeId, contactId, change, error, tries, parkedAt }: ParkedContact): string {
  const contact = change?.contact.externalId ?? contactId;
  return `${changeId}  ${change?.kind ?? "no longer kept"}  ${contact}  ${tries} tries  parked ${parkedAt}  ${error}`;
}
