// A partner's server gets each order as a signed message. Here both run in one process.
import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";

/** The partner's check, by Standard Webhooks, without a library. */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures!.split(" ").some((signature) => {
    const given = Buffer.from(signature.slice("v1,".length), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

let secret = "";
const orders = new Map<string, unknown>();
async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  if (!isSigned(secret, request.headers, body)) return 401;
  // The same message can come twice: its id says so.
  orders.set(String(request.headers["webhook-id"]), JSON.parse(body));
  return 204;
}
const partner = createServer(
  (request, response) => void receive(request).then((status) => response.writeHead(status).end()),
);
partner.listen(0, "127.0.0.1");
await once(partner, "listening");
const host = `127.0.0.1:${(partner.address() as AddressInfo).port}`;

const tracker = createTracker({ storage: memoryStorage(), webhookAllow: [host] });
const url = `http://${host}/orders`;
await tracker.subscriptions.define({ key: "partner", on: { events: ["order_completed"] }, url });
({ secret } = await tracker.subscriptions.createSecret("partner"));
const { stop } = tracker.work();

await tracker.contacts.put("u_1", { email: "ada@example.com" });
const { event } = await tracker.events.track({ externalId: "u_1", eventKey: "order_completed" });
while (orders.size === 0) await new Promise(setImmediate);
const [message] = orders.values() as Iterable<{ type: string; data: { event: { id: string } } }>;
assert.deepEqual([message?.type, message?.data.event.id], ["event.recorded", event.id]);

// A stranger's message is refused.
assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);

await stop();
await tracker.close();
partner.closeAllConnections();
partner.close();
console.log("one order, signed and verified");
