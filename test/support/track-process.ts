/** A process of its own that tracks what it is told, over a storage at the URL in its first argument, and answers with the result. */
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";

const tracker = createTracker({ storage: mysqlStorage(process.argv[2]!) });

process.on("message", (message: { externalId: string; eventKey: string; idempotencyKey: string } | "ready?") => {
  void answer(message).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit(0));

async function answer(message: { externalId: string; eventKey: string; idempotencyKey: string } | "ready?") {
  if (message === "ready?") return tracker.contacts.get("ada@example.com");
  const { idempotencyKey, ...event } = message;
  return tracker.events.track(event, { idempotencyKey });
}
