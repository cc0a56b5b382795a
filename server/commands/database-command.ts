import { parseArgs, type ParseArgsConfig } from "node:util";
import { TrackerError } from "../../lib/model/errors.ts";
import { parse } from "../../lib/input/shapes.ts";
import { workspaceNameStruct } from "../../lib/input/structs.ts";
import type { Scope } from "../../lib/scope.ts";
import { createWorkspace } from "../../lib/methods/create.ts";
import type { Workspace } from "../../lib/methods/index.ts";
import { noCommand, readDatabaseSettings, UsageError, type Settings } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

const common: Options = {
  workspace: { type: "string", default: "default" },
  json: { type: "boolean", default: false },
};

interface Read<Own> {
  positionals: string[];
  values: Own & { workspace: string; json: boolean };
}

/** The arguments that one action of a command takes: `names` are its positional ones. */
interface Action {
  names?: readonly string[];
  options?: Options;
}

/** Reads an action of a command, and its arguments as `readOptions` does. Throws a `UsageError`. */
export function readAction<Own = {}>(
  command: string,
  [action = "", ...args]: readonly string[],
  actions: Readonly<Record<string, Action>>,
): { action: string } & Read<Own> {
  const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!found) throw noCommand(command, action);
  return { action, ...readOptions<Own>(args, found.options ?? {}, found.names) };
}

/** Reads `--workspace`, `--json`, the command's own options, and one argument for each of the names. Throws a `UsageError`. */
export function readOptions<Own = {}>(args: readonly string[], own: Options, names: readonly string[] = []): Read<Own> {
  return readArguments(args, { ...common, ...own }, names) as Read<Own>;
}

/** Reads the options, and one argument for each of the names. Throws a `UsageError`. */
export function readArguments(
  args: readonly string[],
  options: Options,
  names: readonly string[] = [],
): ReturnType<typeof parseArgs> {
  const read = parsed(args, options);
  const given = read.positionals;
  if (given.length > names.length)
    throw new UsageError(`There is an argument too many: ${JSON.stringify(given[names.length])}.`);
  if (given.length < names.length) throw new UsageError(`The argument ${names[given.length]} is missing.`);
  return read;
}

function parsed(args: readonly string[], options: Options): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message.replaceAll("\n", " "));
  }
}

/** Opens the database of DATABASE_URL, runs the work on one of its workspaces, and closes the database. */
export function onWorkspace(
  environment: NodeJS.ProcessEnv,
  name: string,
  work: (workspace: Workspace) => Promise<void>,
  settings: Partial<Pick<Settings, "undefinedEvents">> = {},
): Promise<void> {
  const refusesUndefinedEvents = settings.undefinedEvents === "refuse";
  return onScope(environment, name, (scope) => work(createWorkspace({ ...scope, refusesUndefinedEvents }, undefined)));
}

/** Like `onWorkspace`, for work that needs the scope because a workspace has no method for it. */
export async function onScope(
  environment: NodeJS.ProcessEnv,
  name: string,
  work: (scope: Scope) => Promise<void>,
): Promise<void> {
  const workspace = parseWorkspaceName(name);
  const settings = readDatabaseSettings(environment);
  const storage = openDatabase(settings);
  try {
    const webhookHosts = settings.webhookAllow;
    await explained(() => work({ storage, workspace, webhookHosts, now: () => Date.now(), whenFull: "wait" }));
  } finally {
    await storage.close();
  }
}

function parseWorkspaceName(name: string): string {
  try {
    return parse({ name }, workspaceNameStruct).name;
  } catch (error) {
    throw error instanceof TrackerError ? new UsageError("A workspace's name is 1 to 64 of a-z, 0-9, _ and -.") : error;
  }
}
