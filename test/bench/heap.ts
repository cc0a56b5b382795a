import { createTracker } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { format } from "./rounds.ts";

const contacts = 10_000;
const events = 1_000_000;
const unknownKeys = 1_000_000;

/** The heap that a million events of ten thousand contacts take, and whether a million unknown API keys leave anything. */
export async function run(): Promise<void> {
  const tracker = createTracker({ storage: memoryStorage(), rateLimit: false });
  for (let i = 0; i < contacts; i++) await tracker.contacts.upsert({ email: `user${i}@example.com` });
  const keys = ["signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used"];

  const before = heapUsed();
  const start = performance.now();
  for (let i = 0; i < events; i++) {
    const properties = { plan: `plan ${i % 7}`, amount: i / 2, trial: i % 2 === 0 };
    await tracker.events.track({ externalId: `user${i % contacts}@example.com`, eventKey: keys[i % 5]!, properties });
  }
  const seconds = (performance.now() - start) / 1_000;
  const perEvent = (heapUsed() - before) / events;
  console.log(`${format(perEvent)} bytes of heap an event; ${format(events / seconds)} events/s in process`);

  const refused = async (i: number): Promise<void> => {
    const headers = { Authorization: `Bearer sk_${String(i).padStart(43, "0")}` };
    const { status } = await tracker.handle(new Request("http://localhost/api/v1/contacts/u_1", { headers }));
    if (status !== 401) throw new Error(`answered ${status}`);
  };
  for (let i = 0; i < 10_000; i++) await refused(i);
  const settled = heapUsed();
  for (let i = 0; i < unknownKeys; i++) await refused(i);
  console.log(
    `${format(heapUsed() - settled)} bytes of heap more after ${format(unknownKeys)} requests with unknown keys`,
  );
}

function heapUsed(): number {
  if (!globalThis.gc) throw new Error("run node with --expose-gc");
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
