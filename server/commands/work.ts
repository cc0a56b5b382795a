import { createTracker } from "../../lib/index.ts";
import { sweepSecondsDefault } from "../../lib/model/limits.ts";
import { readDatabaseSettings, UsageError } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";
import { readArguments } from "./database-command.ts";

/** `work --once` sweeps the audiences whose sweep is due, logs the changes of all workspaces that wait, removes old ones, and ends: for cron, where no server does so. */
export async function work(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { values } = readArguments(args, { once: { type: "boolean" } });
  if (!values["once"]) throw new UsageError("work needs --once.");
  const storage = openDatabase(readDatabaseSettings(environment));
  try {
    const { logged } = await explained(() =>
      createTracker({ storage }).work({ until: "caught-up", sweepSeconds: sweepSecondsDefault }),
    );
    console.log(`logged ${logged} changes`);
  } finally {
    await storage.close();
  }
}
