import { spawn } from "node:child_process";
import { createHook } from "node:async_hooks";
import crypto from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Session } from "node:inspector/promises";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { toListener } from "../../adapters/node-http.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { createTracker } from "../../lib/index.ts";
import { createHttpServer } from "../../server/http-server.ts";
import { format } from "./rounds.ts";
import { autocannon } from "./services.ts";

const requests = 20_000;
const listed = 12;

/**
 * What one `POST /events` on memory makes between the socket and the storage, through the server, through `toListener` alone, and
 * through a bare `node:http` server: bytes by file, promises, timers and their like, and calls that parse, copy or hash.
 */
export async function run(): Promise<void> {
  const storage = memoryStorage();
  const tracker = createTracker({ storage, rateLimit: { requests: 1_000_000_000, perSeconds: 60 } });
  const { key } = await tracker.apiKeys.create({ name: "steps" });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const listener = toListener(tracker);
  const loads: [name: string, load: Load][] = [
    ["server", await listen(createHttpServer(tracker).server, key)],
    [
      "toListener",
      await listen(
        createServer((request, response) => void listener(request, response)),
        key,
      ),
    ],
    ["bare node:http", await listen(createServer(answer), key)],
  ];
  for (const [name, load] of loads) {
    await load();
    print(`${name}: bytes for one request, by file`, await allocated(load));
  }
  const counts = countCalls();
  for (const [name, load] of loads) {
    counts.clear();
    await load();
    print(`${name}: made for one request`, counts);
  }
  process.exit();
}

type Load = () => Promise<void>;

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on("end", () => response.writeHead(201, ["Content-Length", "2"]).end("{}"));
}

async function listen(server: Server, key: string): Promise<Load> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events`;
  const body = `{"externalId":"ada@example.com","eventKey":"page_viewed","properties":{"plan":"pro","amount":42.5,"trial":false}}`;
  const headers = ["-H", `Authorization=Bearer ${key}`, "-H", "Content-Type=application/json"];
  const args = [autocannon, "-c", "1", "-a", String(requests), "-m", "POST", "-b", body, ...headers, url];
  return async () => void (await once(spawn(process.execPath, args, { stdio: "ignore" }), "close"));
}

/** From now on counts the asynchronous resources by type, and the calls of functions that the product uses. */
function countCalls(): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string): unknown => counts.set(name, (counts.get(name) ?? 0) + 1);
  const wrapped: [object: Record<string, unknown>, names: string[]][] = [
    [globalThis, ["AbortController", "URL", "Request", "Headers", "Response"]],
    [JSON as never, ["parse", "stringify"]],
    [Buffer as never, ["from", "concat", "byteLength"]],
    [crypto as never, ["hash", "createHash"]],
  ];
  for (const [object, names] of wrapped) {
    for (const name of names) {
      object[name] = new Proxy(object[name] as (...args: unknown[]) => unknown, {
        apply: (target, self, args) => (count(`${name}()`), Reflect.apply(target, self, args)),
        construct: (target, args) => (count(`new ${name}`), Reflect.construct(target, args) as object),
      });
    }
  }
  syncBuiltinESMExports();
  createHook({ init: (_, type) => void count(type) }).enable();
  return counts;
}

/** The bytes that are allocated, by file. */
async function allocated(load: Load): Promise<Map<string, number>> {
  const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", { samplingInterval: 8_192, ...all } as object);
  await load();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  const bytes = new Map<string, number>();
  const nodes = [profile.head];
  for (const { callFrame, selfSize, children } of nodes) {
    const name = callFrame.url.replace(/.*\/(?:dist|node_modules)\//, "") || callFrame.functionName;
    bytes.set(name, (bytes.get(name) ?? 0) + selfSize);
    nodes.push(...children);
  }
  return bytes;
}

/** Prints the largest sums, of one request. */
function print(title: string, sums: ReadonlyMap<string, number>): void {
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  const largest = [...sums].sort(([, a], [, b]) => b - a).slice(0, listed);
  console.log(`\n${title}: ${format(total / requests)}`);
  for (const [name, sum] of largest) console.log(`${format(sum / requests).padStart(8)}  ${name}`);
}
