import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { BacklogStats, BatchStats, MysqlStats, MysqlStorage, OutboxStats } from "../adapters/mysql/index.ts";
import { causeOf } from "../lib/health.ts";
import { pathOf } from "../lib/http/paths.ts";
import type { Answer } from "../lib/http/answer.ts";
import { ok, statusOf } from "../lib/http/statuses.ts";
import type { WebhookStats } from "../lib/model/webhook-types.ts";

/** Counts the server's requests. */
export interface Metrics {
  /** `route` is the pattern of a route, never a received path: each path would make a series of its own. */
  count(method: string, route: string, answer: Pick<Answer, "status" | "thrown">, seconds: number): void;
  /**
   * All metrics in the Prometheus text format, version 0.0.4. Leaves out statistics of the storage that are not known. `webhooks` is
   * `null` if this process sends no messages.
   */
  toText(stats: MysqlStats | null, read: ReadStats, webhooks: WebhookStats | null): string;
}

/** The statistics that are read from the database; `null` if they are not known. */
export interface ReadStats {
  outbox: OutboxStats | null;
  backlogs: BacklogStats[] | null;
}

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

interface Series {
  method: string;
  route: string;
  statuses: Map<number, number>;
  /** The number of requests that took at most this bound, and longer than the previous one. */
  buckets: number[];
  seconds: number;
}

export function createMetrics(): Metrics {
  /** Keyed by route, then by method. Joining both into one key for each request would cost more than the counting. */
  const series = new Map<string, Map<string, Series>>();
  const unavailable = new Map<string, number>();
  const seriesOf = (method: string, route: string): Series => {
    const ofRoute = series.get(route) ?? new Map<string, Series>();
    const counted = ofRoute.get(method) ?? {
      method,
      route,
      statuses: new Map(),
      buckets: bounds.map(() => 0),
      seconds: 0,
    };
    series.set(route, ofRoute.set(method, counted));
    return counted;
  };
  return {
    count(method, route, { status, thrown }, seconds) {
      const counted = seriesOf(method, route);
      increase(counted.statuses, status);
      // The last bound is infinite, so every time is in a bucket.
      counted.buckets[bounds.findIndex((bound) => seconds <= bound)]!++;
      counted.seconds += seconds;
      if (thrown !== undefined && status === statusOf("storage_unavailable")) increase(unavailable, causeOf(thrown));
    },
    toText(stats, { outbox, backlogs }, webhooks) {
      const lines = [
        ...requestLines([...series.values()].flatMap((ofRoute) => [...ofRoute.values()])),
        ...unavailableLines(unavailable),
        ...(webhooks ? webhookLines(webhooks) : []),
      ];
      const ofStorage = [
        ...(stats ? storageLines(stats) : []),
        ...(outbox ? outboxLines(outbox) : []),
        ...(backlogs ? backlogLines(backlogs) : []),
      ];
      return `${lines.concat(ofStorage).join("\n")}\n`;
    },
  };
}

/** Makes a server that answers `/metrics` with the text. `toText` must not reject. */
export function createMetricsServer(toText: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (pathOf(request.url ?? "/") !== "/metrics") return response.writeHead(statusOf("route_not_found")).end();
    const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };
    return void toText().then((text) => response.writeHead(ok, headers).end(text));
  });
}

/** A scrape ends after some seconds. It must return the other metrics even if the database does not answer. */
const readTimeoutMs = 2_000;

/** Reads the statistics of a storage that has them. They are not known if the database fails or takes too long. */
export async function readStats(
  storage: Partial<Pick<MysqlStorage, "readOutbox" | "readBacklogs">>,
): Promise<ReadStats> {
  const late = sleep(readTimeoutMs, null, { ref: false });
  const inTime = <Stats>(reading: Promise<Stats> | undefined): Promise<Stats | null> =>
    Promise.race([reading ?? null, late]).catch(() => null);
  const [outbox, backlogs] = await Promise.all([inTime(storage.readOutbox?.()), inTime(storage.readBacklogs?.())]);
  return { outbox, backlogs };
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function requestLines(series: readonly Series[]): string[] {
  const answered = series.flatMap(({ method, route, statuses }) =>
    [...statuses].map(([status, count]): Sample => [{ method, route, status }, count]),
  );
  const limited = answered.filter(([{ status }]) => status === statusOf("rate_limited"));
  return [
    ...family("whodid_requests_total", "counter", answered),
    ...family("whodid_rate_limited_total", "counter", [[{}, limited.reduce((sum, [, count]) => sum + count, 0)]]),
    "# TYPE whodid_request_seconds histogram",
    ...series.flatMap(histogramLines),
  ];
}

function histogramLines({ method, route, buckets, seconds }: Series): string[] {
  let count = 0;
  const lines = bounds.map((bound, index) => {
    // There is a bucket for each bound.
    count += buckets[index]!;
    return line("whodid_request_seconds_bucket", { method, route, le: bound === Infinity ? "+Inf" : bound }, count);
  });
  const sum = line("whodid_request_seconds_sum", { method, route }, seconds);
  return [...lines, sum, line("whodid_request_seconds_count", { method, route }, count)];
}

function unavailableLines(unavailable: ReadonlyMap<string, number>): string[] {
  const samples = Array.from(unavailable, ([cause, count]): Sample => [{ cause }, count]);
  return family("whodid_unavailable_total", "counter", samples);
}

function webhookLines({ delivered, failed, seconds, down, disabled }: WebhookStats): string[] {
  return [
    ...familyBy("outcome", "whodid_webhook_tries_total", "counter", { delivered, failed }),
    ...family("whodid_webhook_seconds_total", "counter", [[{}, seconds]]),
    ...familyBy("state", "whodid_webhooks", "gauge", { down, disabled }),
  ];
}

function outboxLines({ changes, oldestAgeMs }: OutboxStats): string[] {
  return [
    ...family("whodid_outbox_changes", "gauge", [[{}, changes]]),
    ...family("whodid_outbox_oldest_seconds", "gauge", [[{}, oldestAgeMs / 1_000]]),
  ];
}

function backlogLines(backlogs: readonly BacklogStats[]): string[] {
  const gauge = (name: string, valueOf: (stats: BacklogStats) => number): string[] => {
    const samples = backlogs.map((stats): Sample => [{ workspace: stats.workspace, key: stats.key }, valueOf(stats)]);
    return family(name, "gauge", samples);
  };
  return [
    ...gauge("whodid_backlog_changes", ({ changes }) => changes),
    ...gauge("whodid_backlog_oldest_seconds", ({ oldestAgeMs }) => oldestAgeMs / 1_000),
    ...gauge("whodid_parked_contacts", ({ parked }) => parked),
  ];
}

function storageLines({ contacts, events, retries, pool, loggedChanges }: MysqlStats): string[] {
  const ofBoth = (name: string, type: MetricType, valueOf: (stats: BatchStats) => number): string[] =>
    familyBy("kind", name, type, { contacts: valueOf(contacts), events: valueOf(events) });
  return [
    ...ofBoth("whodid_batches_total", "counter", ({ batches }) => batches),
    ...ofBoth("whodid_batch_items_total", "counter", ({ items }) => items),
    ...ofBoth("whodid_queue_items", "gauge", ({ queuedItems }) => queuedItems),
    ...ofBoth("whodid_queue_bytes", "gauge", ({ queuedBytes }) => queuedBytes),
    ...familyBy("error", "whodid_retries_total", "counter", retries),
    ...familyBy("state", "whodid_pool_connections", "gauge", { open: pool.open, lent: pool.inUse }),
    ...family("whodid_pool_waiting", "gauge", [[{}, pool.waiting]]),
    ...family("whodid_changes_logged_total", "counter", [[{}, loggedChanges]]),
  ];
}

type Labels = Record<string, string | number>;
type Sample = [labels: Labels, value: number];
type MetricType = "counter" | "gauge";

function family(name: string, type: MetricType, samples: readonly Sample[]): string[] {
  return [`# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => line(name, labels, value))];
}

/** A family whose samples differ in the value of this label. */
function familyBy(label: string, name: string, type: MetricType, values: Readonly<Record<string, number>>): string[] {
  const samples = Object.entries(values).map(([value, count]): Sample => [{ [label]: value }, count]);
  return family(name, type, samples);
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(String(text))}`);
  return pairs.length > 0 ? `${name}{${pairs.join(",")}} ${value}` : `${name} ${value}`;
}
