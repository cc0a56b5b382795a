import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { MemoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { generateApiKey } from "../../lib/api-keys.ts";
import { createClient } from "../../lib/client/index.ts";
import type { Tracker } from "../../lib/index.ts";
import { newId } from "../../lib/model/ids.ts";
import { assertDocumented } from "../http/documented.ts";
import { suite, type Test } from "./suite.ts";

/** A test that runs through the client. */
interface Run {
  /** A call or an answer that the OpenAPI document does not allow. The client would take it for a lost connection, and try again. */
  fault: unknown;
}

const throughClient = new AsyncLocalStorage<Run>();

/**
 * A suite of tests that go through the methods of a tracker. They run twice: on a tracker, and on a client of a server over a
 * socket. `apart` has the tests that only hold for a tracker, with the reason.
 */
export function interfaceSuite(
  named: string | { name: string; apart: Readonly<Record<string, string>> },
  define: (test: Test) => void,
): void {
  const { name, apart } = typeof named === "string" ? { name: named, apart: {} } : named;
  suite(name, define);
  suite(`${name}, through the client`, (test) => {
    const left = new Set(Object.keys(apart));
    define((title, run) => {
      if (left.delete(title)) return;
      test(title, async () => {
        const tested: Run = { fault: null };
        await throughClient.run(tested, run);
        if (tested.fault) throw tested.fault;
      });
    });
    if (left.size > 0) throw new Error(`there is no test ${[...left].join(", ")}`);
  });
}

/** The tracker, or in a test that runs through the client the tracker with the methods of the client. */
export function asTested<Of extends Tracker>(tracker: Of, storage: MemoryStorage): Of {
  const tested = throughClient.getStore();
  if (!tested) return tracker;
  const key = generateApiKey();
  const id = newId(0);
  const limits = { access: "admin", requestsPerMinute: null, expiresAt: null } as const;
  const times = { createdAt: 0, lastUsedAt: null };
  const row = {
    workspace: "default",
    id,
    name: "client",
    prefix: key.slice(0, 12),
    hash: hash("sha256", key),
    ...limits,
    ...times,
  };
  void storage.insertApiKey(row);
  const listener = toListener(tracker);
  // Without a host the port is known at once.
  const server = createServer((request, response) => void listener(request, response))
    .listen(0)
    .unref();
  const { port } = server.address() as AddressInfo;
  const {
    withSignal: _,
    close: __,
    apiKeys,
    ...groups
  } = createClient({ url: `http://127.0.0.1:${port}/api/v1`, key, fetch: documentedFetch(tested) });
  const list = async () => (await apiKeys.list()).filter((apiKey) => apiKey.id !== id);
  // Handlers run in the process of the tracker.
  const { consume } = tracker.subscriptions;
  return {
    ...tracker,
    ...groups,
    subscriptions: { ...groups.subscriptions, consume },
    apiKeys: { ...apiKeys, list },
  };
}

/** Holds each call of the client, and its answer, to the OpenAPI document. */
function documentedFetch(tested: Run): typeof fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const text = await response.clone().text();
    const call = { method: init.method ?? "GET", path: response.url, body: init.body as string };
    try {
      assertDocumented(call, { status, headers, body: text === "" ? null : JSON.parse(text) });
    } catch (error) {
      tested.fault ??= error;
    }
    return response;
  };
}
