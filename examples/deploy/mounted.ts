// An Express app with the API mounted in it, a health check for the load balancer, and metrics for Prometheus. DATABASE_URL names a database.
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { createTracker } from "whodid";
import { metrics } from "whodid/metrics";
import { mysqlStorage } from "whodid/mysql";
import { toListener } from "whodid/node";

const storage = mysqlStorage(process.env["DATABASE_URL"]!);
await storage.migrate();
const tracker = createTracker({ storage });
tracker.work();

const app = express();
app.use("/api/v1", toListener(tracker));
app.get("/healthz", async (_, response) => {
  response.sendStatus((await tracker.health()).ok ? 200 : 503);
});
// Anybody who reaches it reads it, so let your own network alone do so.
app.get("/metrics", async (_, response) => {
  response.type("text/plain").send(await metrics(tracker));
});

const server = app.listen(0);
await once(server, "listening");
const url = `http://localhost:${(server.address() as AddressInfo).port}`;
assert.equal((await fetch(`${url}/healthz`)).status, 200);
assert.match(await (await fetch(`${url}/metrics`)).text(), /^whodid_outbox_oldest_seconds 0$/m);

// From the call of close() on the load balancer sends no more requests here.
const closed = tracker.close();
assert.equal((await fetch(`${url}/healthz`)).status, 503);
await closed;
server.closeAllConnections();
server.close();
console.log("a load balancer asked for the health, and Prometheus for the metrics");
