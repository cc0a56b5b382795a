// Retrying over HTTP without recording twice: one Idempotency-Key for all tries of one event.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import { toListener } from "whodid/node";

async function track(url: string, key: string, event: object, idempotencyKey: string = randomUUID()) {
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
  };
  for (let attempt = 1; ; attempt++) {
    const init = { method: "POST", headers, body: JSON.stringify(event), signal: AbortSignal.timeout(10_000) };
    const response = await fetch(`${url}/events`, init).catch(() => null);
    // A 4xx is an answer: the same request would be refused again.
    if (response && response.status < 500 && response.status !== 429) return response;
    if (attempt === 5) throw new Error("the event may or may not be recorded: try again later with the same key");
    await sleep(1_000 * Number(response?.headers.get("Retry-After") ?? 2 ** attempt / 10));
  }
}

// A server whose first answer is lost on its way: the event is recorded, and the client cannot know.
const tracker = createTracker({ storage: memoryStorage() });
const listener = toListener(tracker);
let answers = 0;
const server = createServer((request, response) => {
  if (answers++ === 0) response.writeHead = () => response.destroy() as never;
  void listener(request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;

await tracker.contacts.upsert({ email: "ada@example.com" });
const { key } = await tracker.apiKeys.create({ name: "backend" });
const response = await track(url, key, { externalId: "ada@example.com", eventKey: "purchase_completed" });
assert.equal(response.status, 201);
assert.equal(response.headers.get("Idempotent-Replayed"), "true");
assert.equal(answers, 2);
assert.equal((await tracker.events.list("ada@example.com")).items.length, 1);

server.closeAllConnections();
server.close();
await tracker.close();
console.log("tried twice, recorded once");
