import { parseArgs, type ParseArgsConfig } from "node:util";
import { TrackerError } from "../../lib/model/errors.ts";
import { parse } from "../../lib/input/shapes.ts";
import { workspaceNameStruct } from "../../lib/input/structs.ts";
import type { Scope } from "../../lib/scope.ts";
import { createWorkspace } from "../../lib/create-workspace.ts";
import type { Workspace } from "../../lib/workspace.ts";
import { readDatabaseSettings, UsageError, type Settings } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

const common = {
  workspace: { type: "string", default: "default" },
  json: { type: "boolean", default: false },
} as const;

export interface Arguments<Flag extends string> {
  positionals: string[];
  workspace: string;
  json: boolean;
  flags: Record<Flag, boolean>;
}

/** Reads the options `--workspace` and `--json`, and the flags that the command takes. Throws a `UsageError`. */
export function readArguments<Flag extends string = never>(
  args: readonly string[],
  { flags = [] }: { flags?: readonly Flag[] } = {},
): Arguments<Flag> {
  const own = Object.fromEntries(flags.map((flag) => [flag, { type: "boolean", default: false } as const]));
  const { positionals, values } = readOptions<{}>(args, own);
  const { workspace, json, ...given } = values;
  return { positionals, workspace, json, flags: given as Record<Flag, boolean> };
}

/** Reads `--workspace`, `--json` and the command's own options. Throws a `UsageError`. */
export function readOptions<Own>(
  args: readonly string[],
  own: NonNullable<ParseArgsConfig["options"]>,
): { positionals: string[]; values: Own & { workspace: string; json: boolean } } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { ...common, ...own },
      allowPositionals: true,
    });
    return { positionals, values: values as Own & { workspace: string; json: boolean } };
  } catch (error) {
    throw new UsageError((error as Error).message);
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
  const storage = openDatabase(readDatabaseSettings(environment));
  try {
    await explained(() => work({ storage, workspace, now: () => Date.now(), whenFull: "wait" }));
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
