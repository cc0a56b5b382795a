import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { metricsWith } from "../../adapters/metrics/text.ts";
import { createTracker } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Tracker } from "../../lib/tracker.ts";
import { addApiKey } from "../../lib/api-keys.ts";
import { isValidAdmin } from "../../lib/decisions/api-keys.ts";
import { loadDemo } from "../demo.ts";
import { demoPath } from "../demo-page.ts";
import { dashboardPath } from "../dashboard/standalone.ts";
import { basePath, createHttpServer } from "../http-server.ts";
import { log, logError } from "../log.ts";
import { limitConnections } from "../open-files.ts";
import { createMetrics, createMetricsServer } from "../metrics.ts";
import { provisionFrom } from "../provision-file.ts";
import { readSettings, CommandError, type Settings } from "../settings.ts";
import { firstSignal } from "../signals.ts";
import { explained, openStorage } from "../storage.ts";
import { readArguments } from "./database-command.ts";

/** How long a stop can take, even if a connection hangs. Docker kills the process after 10 s. */
const deadlineMs = 9_000;

const keyCommand = "`whodid keys create --name NAME --access admin`";

/** `serve [--demo]` serves until SIGTERM or SIGINT; with `--demo` it loads contacts and events to look at first. */
export async function serve(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const isDemo = readArguments(args, { demo: { type: "boolean" } }).values["demo"] === true;
  const settings = readSettings(environment);
  for (const name of ["DASHBOARD_PASSWORD", "TRUSTED_PROXIES"].filter((gone) => environment[gone]))
    log("warning", { message: `${name} is ignored: the dashboard asks for an API key, and ${keyCommand} makes one.` });
  if (isDemo && settings.databaseUrl !== null)
    throw new CommandError("--demo is for memory alone: leave out DATABASE_URL.");
  const storage = await openStorage(settings);
  try {
    await serveFrom(storage, settings, isDemo);
  } finally {
    await storage.close();
  }
}

async function serveFrom(storage: Storage, settings: Settings, isDemo: boolean): Promise<void> {
  const { databaseUrl, rateLimit, metricsAt, undefinedEvents, hasDashboard, tokenVisitors } = settings;
  const webhookAllow = [...settings.webhookAllow];
  // `createHttpServer` logs the errors itself, with the id of the request.
  const tracker = createTracker({ storage, basePath, rateLimit, undefinedEvents, webhookAllow, onError: () => {} });
  await explained(() => prepare(tracker, storage, settings));
  if (isDemo) await explained(() => loadDemo(tracker, Date.now()));

  const key = databaseUrl === null ? (await tracker.apiKeys.create({ name: "operator", access: "admin" })).key : null;
  const keys = await explained(() => storage.listApiKeys("default"));
  const hasAdminKey = keys.some((row) => isValidAdmin(row, Date.now()));

  const signalled = firstSignal();
  const metrics = metricsAt && createMetrics();
  const metricsServer = metrics && createMetricsServer(() => metricsWith(tracker, metrics.samples()));
  const metricsAddress = metricsServer && metricsAt && (await listen(metricsServer.unref(), metricsAt));
  const { server, stop } = createHttpServer(tracker, { metrics, hasDashboard, isDemo, tokenVisitors });
  limitConnections(server);
  printWelcome(originOf(await listen(server, settings)), settings, { isDemo, key, hasAdminKey });
  if (metricsAddress) console.log(`Metrics are at ${originOf(metricsAddress)}/metrics`);
  // The work has its own tracker, which logs errors: no request could log them.
  const work = settings.works
    ? createTracker({ storage, webhookAllow, onError: (error) => logError(error) }).work()
    : null;
  log("start", { pid: process.pid, storage: databaseUrl === null ? "memory" : "mysql" });

  const signal = await signalled;
  // The process must end even if the stop hangs, or something else keeps it running.
  setTimeout(() => {
    log("stop", { signal, cutShort: true });
    process.exit(1);
  }, deadlineMs).unref();
  await Promise.all([stop(), work?.stop()]);
  await tracker.close();
  metricsServer?.close();
  metricsServer?.closeAllConnections();
  log("stop", { signal });
}

async function listen(server: Server, { host, port }: Pick<Settings, "host" | "port">): Promise<AddressInfo> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new CommandError(`Cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code}.`);
  }
  return server.address() as AddressInfo;
}

async function prepare(
  tracker: Tracker,
  storage: Storage,
  { provision, apiKey, databaseUrl }: Settings,
): Promise<void> {
  if (provision !== null) await provisionFrom(tracker, provision);
  if (apiKey === null) return;
  const added = await addApiKey({ storage, workspace: "default", now: Date.now }, apiKey, "API_KEY");
  if (added === "another's") throw new CommandError("API_KEY is a key of another workspace.");
  // A revoked key is deleted without a trace, so it looks like a new one.
  if (added === "added" && databaseUrl !== null) {
    log("warning", {
      message: "API_KEY was not in the database and is let in now; if it was revoked, it works again.",
    });
  }
}

interface Welcome {
  isDemo: boolean;
  /** The admin key that was created for the memory storage; `null` with a database. */
  key: string | null;
  hasAdminKey: boolean;
}

function printWelcome(
  origin: string,
  { hasDashboard, tokenVisitors }: Settings,
  { isDemo, key, hasAdminKey }: Welcome,
): void {
  const url = origin + basePath;
  console.log(`whodid answers at ${url}`);
  if (isDemo) console.log(`A page of an invented app, with a checklist, is at ${origin}${demoPath}`);
  if (hasDashboard) console.log(`The dashboard is at ${origin}${dashboardPath}`);
  if (tokenVisitors) console.log(`Visitors with tokens are answered at ${origin}${tokenVisitors.basePath}`);
  if (!hasAdminKey) console.log(`No key with the access admin is valid: ${keyCommand} makes one.`);
  if (key === null) return;
  console.log(`The API key, with the access admin, is shown only here:\n\n  ${key}\n`);
  console.log(`Everything is kept in memory, and lost at the end. Try it:\n`);
  console.log(`  curl -s ${url}/contacts -H 'Authorization: Bearer ${key}' \\`);
  console.log(`    -H 'Content-Type: application/json' -d '{"email":"ada@example.com"}'\n`);
}

function originOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
