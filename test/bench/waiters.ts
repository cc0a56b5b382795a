/**
 * The waiters of `waits.ts`, a process of their own: SERVER, KEY, SUBSCRIPTION and WAITERS come as variables. At each message it tells
 * its answers by their status, and how many of them had a change, since the message before.
 */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const { SERVER = "", KEY = "", SUBSCRIPTION = "", WAITERS = "" } = process.env;
const agent = new Agent({ keepAlive: true });
let tally: Record<string, number> = {};

function count(name: string): void {
  tally[name] = (tally[name] ?? 0) + 1;
}

/** Resolves with the cursor after the answer. */
function ask(query: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${SERVER}/api/v1/subscriptions/${SUBSCRIPTION}/changes?${query}`;
    const asked = request(url, { agent, headers: { Authorization: `Bearer ${KEY}` } }, (response) => {
      count(String(response.statusCode));
      text(response).then((answer) => {
        const { items, cursor } = JSON.parse(answer) as { items?: unknown[]; cursor?: string };
        if (items && items.length > 0) count("with changes");
        resolve(cursor);
      }, reject);
    });
    asked.once("error", reject);
    asked.end();
  });
}

async function wait(first: string | undefined): Promise<void> {
  for (let after = first; ;) {
    const cursor = await ask(`wait=25${after ? `&after=${after}` : ""}`).catch(() => count("broken"));
    if (!cursor) await sleep(1_000);
    after = cursor ?? after;
  }
}

const cursor = await ask("limit=1000").catch(() => undefined);
for (let n = 0; n < Number(WAITERS); n++) void wait(cursor);
process.on("message", () => {
  process.send?.(tally);
  tally = {};
});
process.on("disconnect", () => process.exit());
