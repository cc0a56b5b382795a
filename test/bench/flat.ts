import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker } from "../../lib/index.ts";
import { createHttpServer } from "../../server/http-server.ts";
import { autocannon } from "./services.ts";

const requestsPerRound = 200_000;

/** The heap after each 200,000 requests over a socket that store nothing, a million in all. */
export async function run(): Promise<void> {
  const storage = memoryStorage();
  const tracker = createTracker({ storage, rateLimit: { requests: 1_000_000_000, perSeconds: 60 } });
  const { key } = await tracker.apiKeys.create({ name: "flat" });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const { server } = createHttpServer(tracker, storage);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/contacts/ada@example.com`;
  for (let round = 0; round <= 5; round++) {
    const amount = String(round === 0 ? 10_000 : requestsPerRound);
    const args = [autocannon, "-c", "64", "-a", amount, "-H", `Authorization=Bearer ${key}`, url];
    await once(spawn(process.execPath, args, { stdio: "ignore" }), "close");
    globalThis.gc!();
    const { heapUsed, rss } = process.memoryUsage();
    console.log(
      `after ${amount} requests more: heap ${(heapUsed / 1e6).toFixed(2)} MB, rss ${(rss / 1e6).toFixed(0)} MB`,
    );
  }
  server.closeAllConnections();
  server.close();
}
