import { createTracker } from "../../lib/index.ts";
import { sweepSecondsDefault } from "../../lib/model/limits.ts";
import { readDatabaseSettings, UsageError } from "../settings.ts";
import { explained, openDatabase } from "../storage.ts";
import { readArguments } from "./database-command.ts";

/**
 * `work --once` is for cron, where no server does this work. It sweeps the audiences that are due, logs the waiting changes of all
 * workspaces, removes old changes, and ends.
 */
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
