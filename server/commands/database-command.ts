import { parseArgs, type ParseArgsConfig } from "node:util";
import { createTracker } from "../../lib/index.ts";
import { TrackerError } from "../../lib/errors.ts";
import type { Workspace } from "../../lib/workspace.ts";
import { readDatabaseSettings, UsageError, type Settings } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";

const common = {
  workspace: { type: "string", default: "default" },
  json: { type: "boolean", default: false },
} as const;

export interface Arguments<Flag extends string> {
  positionals: string[];
  name: string | undefined;
  workspace: string;
  json: boolean;
  flags: Record<Flag, boolean>;
}

/** Reads the options `--workspace` and `--json`, and `--name` and the flags that the command takes. Throws a `UsageError`. */
export function readArguments<Flag extends string = never>(
  args: readonly string[],
  { takesName = false, flags = [] }: { takesName?: boolean; flags?: readonly Flag[] } = {},
): Arguments<Flag> {
  const options: ParseArgsConfig["options"] = {
    ...common,
    ...(takesName && { name: { type: "string" } }),
    ...Object.fromEntries(flags.map((flag) => [flag, { type: "boolean", default: false }])),
  };
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { workspace, json, name, ...given } = values as { workspace: string; json: boolean; name?: string };
    return { positionals, workspace, json, name, flags: given as Record<Flag, boolean> };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Opens the database of DATABASE_URL, runs the work on one of its workspaces, and closes the database. */
export async function onWorkspace(
  environment: NodeJS.ProcessEnv,
  name: string,
  work: (workspace: Workspace) => Promise<void>,
  settings: Partial<Pick<Settings, "undefinedEvents">> = {},
): Promise<void> {
  const storage = openDatabase(readDatabaseSettings(environment));
  const tracker = createTracker({ storage, ...settings });
  try {
    await explained(() => work(workspaceOf(() => tracker.workspace(name))));
  } finally {
    await storage.close();
  }
}

function workspaceOf(open: () => Workspace): Workspace {
  try {
    return open();
  } catch (error) {
    throw error instanceof TrackerError ? new UsageError("A workspace's name is 1 to 64 of a-z, 0-9, _ and -.") : error;
  }
}
