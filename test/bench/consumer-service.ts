/** An app that records events over HTTP, beside a consumer that does nothing if CONSUMES is set: plain, or with `transaction`. */
import { once } from "node:events";
import { createServer } from "node:http";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { addApiKey } from "../../lib/api-keys.ts";
import { createTracker } from "../../lib/index.ts";

const { PORT: port, API_KEY: key = "", DATABASE_URL: url = "", CONSUMES: kind } = process.env;

const storage = mysqlStorage(url);
await storage.migrate();
const tracker = createTracker({ storage, rateLimit: { requests: 1_000_000_000, perSeconds: 60 } });
await addApiKey({ storage, workspace: "default", now: Date.now }, key, "bench");
tracker.work();
if (kind) {
  const on = { events: true, contacts: true, checklists: true } as const;
  await tracker.subscriptions.define({ key: "everything", on });
  tracker.subscriptions.consume("everything", { transaction: kind === "transaction", concurrency: 4 }, () => {});
}
const listener = toListener(tracker);
const server = createServer((request, response) => void listener(request, response)).listen(Number(port), "127.0.0.1");
await once(server, "listening");
console.log("ready");
