import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createTracker } from "../../lib/index.ts";
import type { Tracker } from "../../lib/types.ts";
import { addApiKey } from "../../lib/api-keys.ts";
import { basePath, createHttpServer } from "../http-server.ts";
import { log, logError } from "../log.ts";
import { provisionFrom } from "../provision-file.ts";
import { readSettings, Refusal } from "../settings.ts";
import { openStorage } from "../storage.ts";

/** Serves until SIGTERM or SIGINT. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment);
  const storage = await openStorage(settings);
  const tracker = createTracker({ storage, basePath, rateLimit: settings.rateLimit, onError: logError });
  if (settings.provision !== null) await provisionFrom(tracker, settings.provision);
  if (settings.apiKey !== null) {
    const scope = { storage, workspace: "default", now: Date.now };
    const added = await addApiKey(scope, settings.apiKey, "API_KEY");
    if (!added) throw new Refusal("API_KEY is a key of another workspace.");
  }

  const signalled = firstSignal();
  const { server, stop } = createHttpServer(tracker, storage);
  server.listen(settings.port, settings.host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Refusal(`Cannot listen on ${settings.host}:${settings.port}: ${(error as NodeJS.ErrnoException).code}.`);
  }
  await printWelcome(tracker, server.address() as AddressInfo, settings.apiKey === null);
  log("start", { pid: process.pid, storage: settings.databaseUrl === null ? "memory" : "mysql" });

  const signal = await signalled;
  await stop();
  await tracker.close();
  log("stop", { signal });
}

async function printWelcome(
  tracker: Tracker,
  { address, port, family }: AddressInfo,
  needsKey: boolean,
): Promise<void> {
  const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}${basePath}`;
  console.log(`whodid answers at ${url}`);
  if (!needsKey) return;
  const { key } = await tracker.apiKeys.create({ name: "first" });
  console.log(`\nIt keeps everything in memory, and has one API key, shown only here:\n\n  ${key}\n\nTry it:\n`);
  console.log(`  curl -s ${url}/contacts -H 'Authorization: Bearer ${key}' \\`);
  console.log(`    -H 'Content-Type: application/json' -d '{"email":"ada@example.com"}'\n`);
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}
