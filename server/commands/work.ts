import { createTracker } from "../../lib/index.ts";
import { sweepSecondsDefault } from "../../lib/model/limits.ts";
import { log, logError } from "../log.ts";
import { readDatabaseSettings } from "../settings.ts";
import { firstSignal } from "../signals.ts";
import { explained, openDatabase } from "../storage.ts";
import { readArguments } from "./database-command.ts";

/**
 * `work` does the work of a server without answering requests, until SIGTERM or SIGINT: it logs changes, sweeps audiences and sends
 * the messages of webhooks. `work --once` is for cron. It does what waits in all workspaces, sends no messages, and ends.
 */
export async function work(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { values } = readArguments(args, { once: { type: "boolean" } });
  const settings = readDatabaseSettings(environment);
  const storage = openDatabase(settings);
  const webhookAllow = [...settings.webhookAllow];
  const tracker = createTracker({ storage, webhookAllow, onError: (error) => logError(error) });
  try {
    if (values["once"]) {
      const once = { until: "caught-up", sweepSeconds: sweepSecondsDefault } as const;
      const { logged } = await explained(() => tracker.work(once));
      console.log(`logged ${logged} changes`);
      return;
    }
    // Fails if the database does not answer, or lacks a table. The work would wait for it instead.
    await explained(() => storage.listWebhooks());
    const signalled = firstSignal();
    tracker.work();
    log("start", { pid: process.pid, storage: "mysql" });
    const signal = await signalled;
    await tracker.close();
    log("stop", { signal });
  } finally {
    await tracker.close();
  }
}
