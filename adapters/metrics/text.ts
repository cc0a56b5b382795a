import { within } from "../../lib/bulk/turns.ts";
import { measuredSymbol, type WithMeasured } from "../../lib/measured.ts";
import type { WebhookStats } from "../../lib/model/webhook-types.ts";
import type { BacklogStats, BatchStats, MysqlStats, MysqlStorage } from "../mysql/index.ts";
import { metricList, type Metric, type MetricName } from "./list.ts";

/** The values of metrics. A metric that is left out is not in the text. */
export type Samples = Partial<Record<MetricName, readonly Sample[]>>;

/** The suffix is that of the parts of a histogram. */
export type Sample = [labels: Record<string, string | number>, value: number, suffix?: string];

/** A scrape ends after some seconds. It must return the other metrics even if the database does not answer. */
const readTimeoutMs = 2_000;

/** `metrics`, with those that only the caller counts. */
export async function metricsWith(tracker: object, own: Samples): Promise<string> {
  if (!(measuredSymbol in tracker)) throw new TypeError("metrics takes what createTracker made");
  const { storage, webhooks } = (tracker as WithMeasured)[measuredSymbol]();
  const mysql = storage as Partial<MysqlStorage>;
  const stats = mysql.stats?.();
  const [outbox, backlogs] = await Promise.all([inTime(mysql.readOutbox?.()), inTime(mysql.readBacklogs?.())]);
  const samples: Samples = {
    ...own,
    ...(webhooks && ofWebhooks(webhooks)),
    ...(stats && ofStorage(stats)),
    ...(outbox && {
      whodid_outbox_changes: one(outbox.changes),
      whodid_outbox_oldest_seconds: one(outbox.oldestAgeMs / 1_000),
    }),
    ...(backlogs && ofBacklogs(backlogs)),
  };
  return metricList.map((metric) => textOf(metric, samples[metric.name])).join("");
}

/** Not known if the database fails or takes too long. */
function inTime<Stats>(reading: Promise<Stats> | undefined): Promise<Stats | null> | undefined {
  return reading && within(readTimeoutMs, reading, null).catch(() => null);
}

function ofWebhooks({ delivered, failed, seconds, down, disabled }: WebhookStats): Samples {
  return {
    whodid_webhook_tries_total: by("outcome", { delivered, failed }),
    whodid_webhook_seconds_total: one(seconds),
    whodid_webhooks: by("state", { down, disabled }),
  };
}

function ofStorage({ contacts, events, retries, pool, loggedChanges }: MysqlStats): Samples {
  const ofBoth = (field: keyof BatchStats): Sample[] =>
    by("kind", { contacts: contacts[field], events: events[field] });
  return {
    whodid_batches_total: ofBoth("batches"),
    whodid_batch_items_total: ofBoth("items"),
    whodid_queue_items: ofBoth("queuedItems"),
    whodid_queue_bytes: ofBoth("queuedBytes"),
    whodid_retries_total: by("error", retries),
    whodid_pool_connections: by("state", { open: pool.open, lent: pool.inUse }),
    whodid_pool_waiting: one(pool.waiting),
    whodid_changes_logged_total: one(loggedChanges),
  };
}

function ofBacklogs(backlogs: readonly BacklogStats[]): Samples {
  const each = (valueOf: (stats: BacklogStats) => number): Sample[] =>
    backlogs.map((stats) => [{ workspace: stats.workspace, key: stats.key }, valueOf(stats)]);
  return {
    whodid_backlog_changes: each(({ changes }) => changes),
    whodid_backlog_oldest_seconds: each(({ oldestAgeMs }) => oldestAgeMs / 1_000),
    whodid_parked_contacts: each(({ parked }) => parked),
  };
}

function one(value: number): Sample[] {
  return [[{}, value]];
}

/** Samples that differ in the value of this label. */
function by(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([value, count]) => [{ [label]: value }, count]);
}

function textOf({ name, type, meaning }: Metric, samples: readonly Sample[] | undefined): string {
  if (!samples) return "";
  const lines = samples.map(([labels, value, suffix = ""]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(String(text))}`);
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
  });
  return [`# HELP ${name} ${meaning}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}
