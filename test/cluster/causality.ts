import assert from "node:assert/strict";
import { createConnection } from "mysql2/promise";
import { mysqlStorage, type MysqlStorage } from "../../adapters/mysql/index.ts";
import { assertPending, start } from "../../adapters/storage-contract/pending.ts";
import { sha256 } from "../../adapters/storage-contract/drafts.ts";
import { createTracker, TrackerError, type Tracker } from "../../lib/index.ts";
import type { Galera } from "./galera.ts";

interface Node {
  url: string;
  storage: MysqlStorage;
  tracker: Tracker;
}

async function withNodes(galera: Galera, run: (nodes: [Node, Node, Node]) => Promise<void>): Promise<void> {
  const urls = galera.urlsOf(await galera.database.createDatabase());
  const nodes = urls.map((url) => {
    const storage = mysqlStorage(url);
    return { url, storage, tracker: createTracker({ storage }) };
  }) as [Node, Node, Node];
  try {
    await nodes[0].storage.migrate();
    await nodes[0].tracker.checklists.define({ key: "c", name: "C", items: [{ key: "i", name: "I" }] });
    for (const { tracker } of nodes) {
      // Until the node has the tables.
      for (;;) if ((await tracker.checklists.list().catch(() => [])).length > 0) break;
    }
    await run(nodes);
  } finally {
    for (const { tracker } of nodes) await tracker.close();
  }
}

/** Asks a node for a contact and a key that were made through another, while it cannot have them yet. */
export async function askBehind(galera: Galera): Promise<void> {
  await withNodes(galera, async ([first, { url, tracker, storage }]) => {
    const admin = await createConnection(url);
    try {
      // Stops what applies the writes of others.
      await admin.query("FLUSH TABLES WITH READ LOCK");
      await first.tracker.contacts.upsert({ email: "ada@example.com" });
      const { key, apiKey } = await first.tracker.apiKeys.create({ name: "key" });
      const got = start(tracker.contacts.get("ada@example.com"));
      const listed = start(tracker.events.list("ada@example.com"));
      const owner = start(storage.findApiKey(sha256(key)));
      await assertPending(got, listed, owner);
      await admin.query("UNLOCK TABLES");
      assert.equal((await got.result)?.email, "ada@example.com");
      assert.deepEqual((await listed.result).items, []);
      assert.equal((await owner.result)?.id, apiKey.id);
    } finally {
      await admin.end();
    }
  });
}

const rounds = 150;

/** Every call that needs a contact, and the look-up of a key. */
const calls: Record<string, (node: Node, made: { email: string; key: string }) => Promise<unknown>> = {
  get: ({ tracker }, { email }) => tracker.contacts.get(email),
  "look up a key": ({ storage }, { key }) => storage.findApiKey(sha256(key)),
  list: ({ tracker }, { email }) => tracker.events.list(email),
  track: ({ tracker }, { email }) => tracker.events.track({ externalId: email, eventKey: "a" }),
  update: ({ tracker }, { email }) => tracker.contacts.update(email, { name: "U" }),
  complete: ({ tracker }, { email }) => tracker.checklists.complete(email, "c", "i"),
  delete: ({ tracker }, { email }) => tracker.contacts.delete(email),
};

/** Makes a contact and a key through one node, and asks another for them at once. */
export async function askAtOnce(galera: Galera): Promise<void> {
  await withNodes(galera, async (nodes) => {
    const missed: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const [maker, other] = [nodes[round % 3]!, nodes[(round + 1) % 3]!];
      for (const [name, ask] of Object.entries(calls)) {
        const found = await ask(other, await make(maker, name, round)).catch(nullIfNotFound);
        if (found === null) missed[name] = (missed[name] ?? 0) + 1;
      }
    }
    const retries = nodes.map(({ storage }) => storage.stats().retries["behind"] ?? 0);
    console.log(`asked through another node at once: ${rounds * 7}, found when it had waited: ${retries.join(" + ")}`);
    assert.deepEqual(missed, {});
  });
}

/** Only what is asked for, so that it is the last write. */
async function make({ tracker }: Node, name: string, round: number): Promise<{ email: string; key: string }> {
  if (name === "look up a key") return { email: "", key: (await tracker.apiKeys.create({ name })).key };
  const email = `${name}${round}@example.com`;
  await tracker.contacts.upsert({ email });
  return { email, key: "" };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof TrackerError && error.code === "contact_not_found") return null;
  throw error;
}
