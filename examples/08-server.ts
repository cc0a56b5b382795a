// Your own server on node:http, in the fewest lines.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import { toListener } from "whodid/node";

const tracker = createTracker({ storage: memoryStorage() });
const listener = toListener(tracker);
const server = createServer((request, response) => void listener(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");

const { port } = server.address() as AddressInfo;
const response = await fetch(`http://127.0.0.1:${port}/api/v1/contacts/u_1`);
assert.equal(response.status, 401);
assert.deepEqual(await response.json(), {
  success: false,
  error: { code: "missing_api_key", message: "Send an API key as `Authorization: Bearer <key>`." },
});

server.closeAllConnections();
server.close();
console.log("401 without a key");
