import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { suite } from "../support/suite.ts";
import { until } from "../support/within.ts";
import { clientOf, type Client } from "./client.ts";
import { openInProcess, type DoorAnswer, type OpenDoor } from "./door.ts";
import { openOverSocket } from "./socket-door.ts";

type ListChanges = Storage["listChanges"];

interface Opened {
  client: Omit<Client, "setClock">;
  /** The limit of each read of the log so far, as the tests tell their requests apart. */
  reads: number[];
  /** The position of each read. */
  positions: Parameters<ListChanges>[2][];
  /** Resolves when the server has noticed that the first client has left. */
  hasLeft: Promise<void>;
  /** The requests that were counted against the limit of their key. */
  counted(): number;
  /** Begins to hold the reads, until the returned function is called. */
  hold(): () => void;
  setClock(time: string): void;
}

/** A way in. `onLeave` is called when the server has noticed that a client has left, or has its answer. */
type ToDoor = (storage: Storage, onLeave: () => void) => OpenDoor;

const doors: Record<string, ToDoor> = {
  // The tracker has the signal of the client.
  "through handle": (storage, onLeave) => {
    onLeave();
    return openInProcess(() => storage);
  },
  "over a socket": (storage, onLeave) =>
    openOverSocket(
      async () => ({ storage, dispose: async () => {} }),
      (tracker) => {
        const listener = toListener(tracker);
        return (request, response) => {
          response.once("close", onLeave);
          void listener(request, response);
        };
      },
    ),
};

/** Opens a tracker on memory, with the subscriptions `all` of contacts and `few` of rare events. */
async function open(toDoor: ToDoor): Promise<Opened> {
  const storage = memoryStorage();
  const reads: number[] = [];
  const positions: Opened["positions"] = [];
  let requests = 0;
  let held = Promise.resolve();
  let now = new Date("2026-11-20T10:00:00.000Z");
  const listChanges: ListChanges = async (workspace, key, after, size) => {
    reads.push(size.limit);
    positions.push(after);
    await held;
    return storage.listChanges(workspace, key, after, size);
  };
  const consume: Storage["consume"] = (...use) => {
    requests++;
    return storage.consume(...use);
  };
  let leave = (): void => {};
  const hasLeft = new Promise<void>((resolve) => (leave = resolve));
  const door = await toDoor({ ...storage, listChanges, consume }, leave)({ now: () => now });
  await door.tracker.subscriptions.define({ key: "all", on: { contacts: true } });
  await door.tracker.subscriptions.define({ key: "few", on: { events: ["rare"] } });
  const { key } = await door.tracker.apiKeys.create({ name: "test" });
  return {
    client: clientOf(door, key),
    reads,
    positions,
    hasLeft,
    counted: () => requests,
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    setClock: (time) => (now = new Date(time)),
  };
}

function itemsOf({ status, body }: DoorAnswer): unknown[] {
  assert.equal(status, 200);
  return (body as { items: unknown[] }).items;
}

suite({ name: "requests that wait for changes", atOnce: 8 }, (test) => {
  for (const [name, toDoor] of Object.entries(doors)) {
    test(`${name}: are answered when the tracker is closed`, async () => {
      const { client, reads } = await open(toDoor);
      const answer = client.get("/subscriptions/all/changes?wait=25");
      await until(() => reads.length === 1);
      await client.tracker.close();
      assert.deepEqual(itemsOf(await answer), []);
      await client.door.close();
    });

    test(`${name}: do not read for a change that their subscriptions do not take`, async () => {
      const { client, reads } = await open(toDoor);
      const limits = Array.from({ length: 20 }, (_, n) => n + 1);
      const waiting = limits.map((limit) => client.get(`/subscriptions/few/changes?wait=9&limit=${limit}`));
      await until(() => reads.length === 20);
      const other = client.get("/subscriptions/all/changes?wait=9&limit=100");
      await until(() => reads.length === 21);
      await client.tracker.contacts.upsert({ email: "ada@example.com" });
      assert.equal(itemsOf(await other).length, 1);
      assert.deepEqual(
        reads.toSorted((a, b) => a - b),
        [...limits, 100, 100],
      );
      await client.tracker.events.track({ externalId: "ada@example.com", eventKey: "rare" });
      for (const answer of waiting) assert.equal(itemsOf(await answer).length, 1);
      await client.door.close();
    });

    test(`${name}: share a read with those at their cursor and limit, and at most four reads run at once`, async () => {
      const { client, reads, counted, hold } = await open(toDoor);
      await client.tracker.contacts.upsert({ email: "ada@example.com" });
      const release = hold();
      const limits = Array.from({ length: 30 }, (_, n) => 1 + (n % 6));
      const waiting = limits.map((limit) => client.get(`/subscriptions/all/changes?wait=9&limit=${limit}`));
      await until(() => counted() === 30);
      // All of them have come to their reads.
      await nextTurn();
      assert.deepEqual([reads.length, new Set(reads).size], [4, 4]);
      release();
      for (const answer of waiting) assert.equal(itemsOf(await answer).length, 1);
      assert.equal(new Set(reads.slice(0, 6)).size, 6);
      await client.door.close();
    });

    test(`${name}: go on where the last look ended`, async () => {
      const { client, reads, positions } = await open(toDoor);
      const answer = client.get("/subscriptions/few/changes?wait=9");
      await until(() => reads.length === 1);
      await client.tracker.contacts.upsert({ email: "ada@example.com" });
      await client.tracker.events.track({ externalId: "ada@example.com", eventKey: "rare" });
      const { cursor } = (await answer).body as { cursor: string };
      const end = Number(Buffer.from(cursor, "base64url").toString());
      assert.deepEqual(positions, [null, end - 1]);
      await client.door.close();
    });

    test(`${name}: end when their clients leave`, async () => {
      const { client, reads, hasLeft } = await open(toDoor);
      const leaving = new AbortController();
      const path = "/api/v1/subscriptions/all/changes?wait=9&limit=7";
      const left = client.send({ method: "GET", path, signal: leaving.signal }).catch(() => null);
      await until(() => reads.length === 1);
      const other = client.get("/subscriptions/all/changes?wait=9&limit=3");
      await until(() => reads.length === 2);
      leaving.abort();
      await Promise.all([left, hasLeft]);
      await client.tracker.contacts.upsert({ email: "ada@example.com" });
      assert.equal(itemsOf(await other).length, 1);
      assert.deepEqual(reads, [7, 3, 3]);
      await client.door.close();
    });

    test(`${name}: are refused after a change if their key was revoked`, async () => {
      const { client, reads } = await open(toDoor);
      const answer = client.get("/subscriptions/all/changes?wait=9");
      await until(() => reads.length === 1);
      const [apiKey] = await client.tracker.apiKeys.list();
      await client.tracker.apiKeys.revoke(apiKey!.id);
      await client.tracker.contacts.upsert({ email: "ada@example.com" });
      const { status, body } = await answer;
      assert.deepEqual([status, (body as { error: { code: string } }).error.code], [401, "invalid_api_key"]);
      await client.door.close();
    });

    test(`${name}: are refused without a change if their key has expired, and count once against the limit`, async () => {
      const { client, reads, counted, setClock } = await open(toDoor);
      const { key } = await client.tracker.apiKeys.create({ name: "short", expiresAt: "2026-11-20T11:00:00Z" });
      const answer = clientOf(client.door, key).get("/subscriptions/all/changes?wait=9");
      await until(() => reads.length === 1);
      setClock("2026-11-20T11:00:00.000Z");
      assert.deepEqual([(await answer).status, counted()], [401, 1]);
      await client.door.close();
    });
  }
});
