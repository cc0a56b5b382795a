// A worker in another process uses the tracker's methods over HTTP. Only the line that makes its tracker differs.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTracker } from "whodid";
import { createClient } from "whodid/client";
import { memoryStorage } from "whodid/memory";
import { toListener } from "whodid/node";

const definitions = {
  events: [{ key: "report_created", properties: { pages: "number" } }],
  checklists: [
    {
      key: "onboarding",
      name: "Onboarding",
      items: [{ key: "first_report", name: "First report", when: { kind: "has_done", eventKey: "report_created" } }],
    },
  ],
} as const;

async function work(tracker: ReturnType<typeof createClient<typeof definitions>>, email: string) {
  const { contact } = await tracker.contacts.upsert({ email });
  // Sent again until it is answered, and recorded once.
  const { completedChecklistItems } = await tracker.events.track({
    externalId: contact.externalId,
    eventKey: "report_created",
    properties: { pages: 12 },
  });
  const [onboarding] = await tracker.checklists.progress(contact.externalId);
  assert.deepEqual([completedChecklistItems.length, onboarding?.progress], [1, { completed: 1, total: 1 }]);
}

// The service that the worker asks.
const service = createTracker({ storage: memoryStorage(), definitions });
await service.provision();
const { key } = await service.apiKeys.create({ name: "worker", requestsPerMinute: 6_000 });
const listener = toListener(service);
let answers = 0;
const server = createServer((request, response) => {
  // Every third answer is lost on its way.
  if (++answers % 3 === 0) response.writeHead = () => response.destroy() as never;
  void listener(request, response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;

await work(
  createClient({ url, key, definitions, onRetry: ({ path }) => console.log(`again: ${path}`) }),
  "ada@example.com",
);
// The same function takes the service's own tracker, with a `withSignal` like the client's.
await work({ ...service, withSignal: () => service }, "bob@example.com");

const { items } = await service.events.list("ada@example.com");
assert.equal(items.length, 1);
console.log(`${items.length} event of the worker`);
server.close();
server.closeAllConnections();
