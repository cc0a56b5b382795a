/** A metric of the Prometheus text, or a family of them that differ in their labels. */
export interface Metric {
  name: MetricName;
  type: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  /** The HELP line. */
  meaning: string;
  /** The value that should wake somebody; `null` for a metric that only explains others. */
  alarm: string | null;
}

/** A metric that is not listed does not compile. */
export type MetricName = keyof typeof table;

/** Type, labels, meaning and alarm, in the order of the text. Only the server counts requests, so a mount lacks the first four. */
const table = {
  whodid_requests_total: [
    "counter",
    ["method", "route", "status"],
    "Answers of the server, the dashboard's files too. The route is a pattern, or none.",
    "status 500 grows",
  ],
  whodid_rate_limited_total: ["counter", [], "Answers 429 of the server.", "grows"],
  whodid_request_seconds: [
    "histogram",
    ["method", "route"],
    "From the headers until the answer is ready to be written.",
  ],
  whodid_unavailable_total: [
    "counter",
    ["cause"],
    "Answers 503 of the API. The cause is a code of driver or system, or a word such as held, expired or no_connection.",
    "grows for 5 minutes",
  ],
  whodid_webhook_tries_total: ["counter", ["outcome"], "Tries to send a message of a webhook, delivered or failed."],
  whodid_webhook_seconds_total: ["counter", [], "The time of all tries to send messages of webhooks."],
  whodid_webhooks: ["gauge", ["state"], "Webhooks of all workspaces that are down or disabled.", "above 0"],
  whodid_batches_total: ["counter", ["kind"], "Committed transactions of writes."],
  whodid_batch_items_total: ["counter", ["kind"], "Contacts and events in these transactions."],
  whodid_queue_items: ["gauge", ["kind"], "Writes without an answer yet."],
  whodid_queue_bytes: ["gauge", ["kind"], "The size of the writes without an answer yet."],
  whodid_retries_total: ["counter", ["error"], "Retries, by the number of the database's error, else a cause."],
  whodid_pool_connections: ["gauge", ["state"], "Connections to the database, open and lent."],
  whodid_pool_waiting: ["gauge", [], "Calls that wait for a connection."],
  whodid_changes_logged_total: ["counter", [], "Changes that this process has moved into the log."],
  whodid_outbox_changes: ["gauge", [], "Changes of all processes that wait for the log, up to a million."],
  whodid_outbox_oldest_seconds: ["gauge", [], "The age of the oldest change that waits for the log.", "above 60"],
  whodid_backlog_changes: ["gauge", ["workspace", "key"], "Changes in the log that wait for consumers, up to 10,000."],
  whodid_backlog_oldest_seconds: [
    "gauge",
    ["workspace", "key"],
    "The age of the oldest change in the log that waits for consumers.",
    "above your mails' delay",
  ],
  whodid_parked_contacts: ["gauge", ["workspace", "key"], "Parked contacts, up to 10,000.", "above 0"],
} as const;

/** The metrics of a server and of a mount. */
export const metricList: readonly Metric[] = (Object.keys(table) as MetricName[]).map((name) => {
  const [type, labels, meaning, alarm = null] = table[name];
  return { name, type, labels, meaning, alarm };
});
