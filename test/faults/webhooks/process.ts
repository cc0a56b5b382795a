/** A process that writes events, or that sends the messages of webhooks, until it is killed. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { mysqlStorage } from "../../../adapters/mysql/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { deliver } from "../../../lib/webhooks/deliveries.ts";
import { createPoster } from "../../../lib/webhooks/post.ts";
import { readAllowedHosts } from "../../../lib/webhooks/urls.ts";
import { runWork } from "../../../lib/work/index.ts";
import { pick } from "../../support/random.ts";

const [url, role, host, contacts, tryMs] = process.argv.slice(2) as [string, string, string, string, string];
const storage = mysqlStorage(url);
process.on("disconnect", () => process.exit(0));

async function write(): Promise<never> {
  const tracker = createTracker({ storage, onError: () => {} });
  for (;;) {
    const event = {
      externalId: `c${Math.floor(Math.random() * Number(contacts))}@example.com`,
      eventKey: pick(["a", "b"]),
    };
    await tracker.events.track(event, { idempotencyKey: randomUUID() }).catch(() => {});
    // About as many as the messages that are sent meanwhile.
    await sleep(20);
  }
}

if (role === "write") for (let n = 0; n < 4; n++) void write();
else {
  const allow = readAllowedHosts([host])!;
  const scope = { storage, workspace: "default", now: Date.now, webhookHosts: allow, report: () => {} };
  const poster = createPoster({ allow }, { tryMs: Number(tryMs) });
  void runWork(scope);
  deliver(scope, { pace: 0.001, leaseSeconds: 2, poster });
}
