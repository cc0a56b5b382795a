#!/usr/bin/env node
import { audiencesCommand } from "./commands/audiences.ts";
import { checklistsCommand } from "./commands/checklists.ts";
import { contactsCommand } from "./commands/contacts.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keys } from "./commands/keys.ts";
import { migrate } from "./commands/migrate.ts";
import { openapi } from "./commands/openapi.ts";
import { provision } from "./commands/provision.ts";
import { pruneCommand } from "./commands/prune.ts";
import { serve } from "./commands/serve.ts";
import { subscriptionsCommand } from "./commands/subscriptions.ts";
import { visitorSecrets } from "./commands/visitor-secrets.ts";
import { work } from "./commands/work.ts";
import { workspacesCommand } from "./commands/workspaces.ts";
import { version } from "../lib/model/version.ts";
import { visible } from "./print.ts";
import { noCommand, CommandError, UsageError } from "./settings.ts";

const usage = `usage: whodid serve [--demo]        serve the API and the dashboard, on memory with contacts and events to look at
       whodid migrate [--views] [--print]
                                    bring the tables up to date, make views for plain SQL, or print the SQL for that
       whodid keys create --name N  make an API key and show it, once
       whodid keys list | revoke ID
       whodid keys generate         print a well-formed key, and touch nothing
       whodid visitor-secrets generate      print a secret for VISITOR_SECRETS, and touch nothing
       whodid provision FILE        make the definitions of a JSON file or module
       whodid provision --check FILE        print what differs, change nothing, exit 1 if anything does
       whodid provision --prune --yes FILE  make them, and remove what the file does not name
       whodid audiences list | count KEY | members KEY | explain KEY EXTERNAL_ID
       whodid checklists list | progress EXTERNAL_ID
       whodid subscriptions list | tail KEY [--after CURSOR]
       whodid subscriptions parked KEY | retry KEY CHANGE | drop KEY CHANGE
                                    list the contacts behind a change that failed, and let them go on
       whodid subscriptions resume KEY --from oldest | now | TIME
       whodid subscriptions secret KEY      make a secret that signs a webhook's messages and show it, once
       whodid subscriptions secrets KEY | delete-secret KEY ID
       whodid subscriptions test KEY | enable KEY
                                    send a webhook a test, or let a disabled one go on
       whodid work [--once]         do the work for subscriptions where no server does so: log changes, find who
                                    enters audiences and, without --once, send the messages of webhooks
       whodid import contacts | events FILE [--map FIELD=COLUMN,...] [--format segment | posthog | mixpanel]
                                    [--source NAME] [--dry-run]; FILE is .csv or .ndjson, also with .gz, or -
       whodid export contacts | events [--since DATE] [--audience KEY]
       whodid export contact EXTERNAL_ID
       whodid prune --before DATE --dry-run | --yes [--force]
                                    count or remove the events from before that day, and keep what they count for
       whodid contacts delete ID    delete a contact and all that is kept about it
       whodid workspaces list | delete NAME --yes
                                    list the workspaces, or delete one with all its data
       whodid openapi               print the OpenAPI document of the API
       whodid --help | --version
Settings are environment variables. All but serve, migrate, work and openapi take --workspace NAME and --json.`;

const commands: Record<string, (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<void>> = {
  serve,
  migrate,
  keys,
  provision,
  audiences: audiencesCommand,
  checklists: checklistsCommand,
  contacts: contactsCommand,
  import: importCommand,
  export: exportCommand,
  prune: pruneCommand,
  subscriptions: subscriptionsCommand,
  "visitor-secrets": visitorSecrets,
  work,
  workspaces: workspacesCommand,
  openapi,
};

const [name = "", ...args] = process.argv.slice(2);
const asksForHelp = name === "help" || [name, ...args].some((argument) => argument === "--help" || argument === "-h");

// The process must not end because the log's disk is full or its pipe is closed.
process.stderr.on("error", () => {});
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // `serve` prints only at its start, so it can go on without standard output.
  if (name === "serve") return;
  // The reader, such as `head`, has closed the pipe.
  if (code === "EPIPE") process.exit();
  console.error(`whodid: Cannot write the output: ${code}.`);
  process.exit(1);
});

try {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (asksForHelp) console.log(usage);
  else if (name === "--version") console.log(version);
  else if (command) await command(args, process.env);
  else throw noCommand(name);
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`whodid: ${visible(error.message)}\n${usageOf(name)}`);
    process.exitCode = 2;
  } else if (error instanceof CommandError) {
    console.error(`whodid: ${visible(error.message)}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
// Resources that a module of definitions has opened would keep the process running. Errors of the output are handled above.
process.stdout.write("", (error) => {
  if (!error) process.exit();
});

/** The usage of the command, or of all commands if it is unknown. */
function usageOf(command: string): string {
  const own = usage.split(/^.{7}(?=whodid )/m).filter((part) => part.startsWith(`whodid ${command} `));
  return own.length > 0 ? `usage: ${own.join("       ").trimEnd()}` : usage;
}
