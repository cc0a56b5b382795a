// More workspaces than one database can hold: each workspace has its home in one of several databases. Here two storages in
// memory stand for them; use `mysqlStorage(url)` for each instead. A workspace and a transaction are always in one database.
// For transactions, make a tracker for each database, and use that of the workspace.
import assert from "node:assert/strict";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import type { Storage } from "whodid/storage";

/** Keeps each workspace in the storage that `homeOf` returns, which must always be the same one. */
function spread(storages: readonly Storage[], homeOf: (workspace: string) => Storage): Storage {
  const homeOfKey = new Map<string, Storage>();
  const refuse = (): never => {
    throw new Error("A transaction is of one database: use a tracker on the storage of the workspace.");
  };
  /** Passes each storage its own items, and returns the answers in the order of all items. */
  async function each<Item extends { workspace: string }, Answer>(
    items: readonly Item[],
    ask: (home: Storage, items: readonly Item[]) => Promise<Answer[]>,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    const write = async (home: Storage): Promise<void> => {
      const places = [...items.keys()].filter((place) => homeOf(items[place]!.workspace) === home);
      const given = await ask(
        home,
        places.map((place) => items[place]!),
      );
      places.forEach((place, index) => (answers[place] = given[index]!));
    };
    await Promise.all([...new Set(items.map(({ workspace }) => homeOf(workspace)))].map(write));
    return answers;
  }
  return {
    upsertContacts: (items, options) => each(items, (home, own) => home.upsertContacts(own, options)),
    findContact: (workspace, ...rest) => homeOf(workspace).findContact(workspace, ...rest),
    updateContact: (update) => homeOf(update.workspace).updateContact(update),
    deleteContact: (workspace, ...rest) => homeOf(workspace).deleteContact(workspace, ...rest),
    listContacts: (workspace, ...rest) => homeOf(workspace).listContacts(workspace, ...rest),
    countContacts: (workspace) => homeOf(workspace).countContacts(workspace),
    recordEvents: (items, options) => each(items, (home, own) => home.recordEvents(own, options)),
    listEvents: (workspace, ...rest) => homeOf(workspace).listEvents(workspace, ...rest),
    listRecentEvents: (workspace, ...rest) => homeOf(workspace).listRecentEvents(workspace, ...rest),
    listRecorded: (workspace, ...rest) => homeOf(workspace).listRecorded(workspace, ...rest),
    markPruned: (workspace, ...rest) => homeOf(workspace).markPruned(workspace, ...rest),
    pruneEvents: (workspace, ...rest) => homeOf(workspace).pruneEvents(workspace, ...rest),
    findSummaries: (workspace, ...rest) => homeOf(workspace).findSummaries(workspace, ...rest),
    listEventUsage: (workspace, ...rest) => homeOf(workspace).listEventUsage(workspace, ...rest),
    countActivity: (workspace, ...rest) => homeOf(workspace).countActivity(workspace, ...rest),
    listMembers: (workspace, ...rest) => homeOf(workspace).listMembers(workspace, ...rest),
    findPrunedBefore: (workspace) => homeOf(workspace).findPrunedBefore(workspace),
    summarizeEvents: (workspace, ...rest) => homeOf(workspace).summarizeEvents(workspace, ...rest),
    countMembers: (workspace, ...rest) => homeOf(workspace).countMembers(workspace, ...rest),
    insertCompletion: (draft) => homeOf(draft.workspace).insertCompletion(draft),
    findCompletions: (workspace, ...rest) => homeOf(workspace).findCompletions(workspace, ...rest),
    putDismissal: (draft) => homeOf(draft.workspace).putDismissal(draft),
    findDismissals: (workspace, ...rest) => homeOf(workspace).findDismissals(workspace, ...rest),
    putDefinition: (draft) => homeOf(draft.workspace).putDefinition(draft),
    listDefinitions: (workspace, ...rest) => homeOf(workspace).listDefinitions(workspace, ...rest),
    deleteDefinition: (workspace, ...rest) => homeOf(workspace).deleteDefinition(workspace, ...rest),
    listChanges: (workspace, ...rest) => homeOf(workspace).listChanges(workspace, ...rest),
    takeChanges: (workspace, ...rest) => homeOf(workspace).takeChanges(workspace, ...rest),
    acknowledge: (workspace, ...rest) => homeOf(workspace).acknowledge(workspace, ...rest),
    readBacklog: (workspace, ...rest) => homeOf(workspace).readBacklog(workspace, ...rest),
    listParked: (workspace, ...rest) => homeOf(workspace).listParked(workspace, ...rest),
    releaseParked: (workspace, ...rest) => homeOf(workspace).releaseParked(workspace, ...rest),
    resumeChanges: (workspace, ...rest) => homeOf(workspace).resumeChanges(workspace, ...rest),
    watchChanges: (workspace, ...rest) => homeOf(workspace).watchChanges(workspace, ...rest),
    listWebhooks: async () => (await Promise.all(storages.map((home) => home.listWebhooks()))).flat(),
    findWebhook: (workspace, ...rest) => homeOf(workspace).findWebhook(workspace, ...rest),
    putWebhookState: (workspace, ...rest) => homeOf(workspace).putWebhookState(workspace, ...rest),
    insertSecret: (workspace, ...rest) => homeOf(workspace).insertSecret(workspace, ...rest),
    deleteSecret: (workspace, ...rest) => homeOf(workspace).deleteSecret(workspace, ...rest),
    listWatches: (workspace) => homeOf(workspace).listWatches(workspace),
    claimSweep: (workspace, ...rest) => homeOf(workspace).claimSweep(workspace, ...rest),
    sweep: (workspace, ...rest) => homeOf(workspace).sweep(workspace, ...rest),
    listSweeps: async () => (await Promise.all(storages.map((home) => home.listSweeps()))).flat(),
    beginWatches: async (now) => (await Promise.all(storages.map((home) => home.beginWatches(now)))).includes(true),
    listWorkspaces: async () => (await Promise.all(storages.map((home) => home.listWorkspaces()))).flat(),
    markDeleted: (workspace, ...rest) => homeOf(workspace).markDeleted(workspace, ...rest),
    removeRows: (workspace, ...rest) => homeOf(workspace).removeRows(workspace, ...rest),
    readClock: () => storages[0]!.readClock(),
    async logChanges() {
      const moved = await Promise.all(storages.map((home) => home.logChanges()));
      return { logged: moved.reduce((sum, { logged }) => sum + logged, 0), more: moved.some(({ more }) => more) };
    },
    async findWork(readers) {
      const next = await each(readers, async (home, own) => (await home.findWork(own)).next);
      const found = await Promise.all(storages.map((home) => home.findWork([])));
      const some = (kind: "isUnlogged" | "isUnready" | "isUsed"): boolean => found.some((work) => work[kind]);
      return { next, isUnlogged: some("isUnlogged"), isUnready: some("isUnready"), isUsed: some("isUsed") };
    },
    removeOldChanges: async (now) =>
      (await Promise.all(storages.map((home) => home.removeOldChanges(now)))).includes(true),
    insertApiKey: (row) => homeOf(row.workspace).insertApiKey(row),
    listApiKeys: (workspace) => homeOf(workspace).listApiKeys(workspace),
    deleteApiKey: (workspace, ...rest) => homeOf(workspace).deleteApiKey(workspace, ...rest),
    // A request has a key before it has a workspace, so this asks every storage. The first one that knows the key decides.
    findApiKey(hash) {
      const asked = storages.map(async (home) => {
        const owner = await home.findApiKey(hash);
        if (!owner) throw null;
        homeOfKey.set(owner.id, home);
        return owner;
      });
      return Promise.any(asked).catch(({ errors }: AggregateError) => {
        const fault = errors.find((error) => error !== null);
        if (fault) throw fault;
        return null;
      });
    },
    // Called only after `findApiKey` has found the key.
    consume: (apiKeyId, ...rest) => homeOfKey.get(apiKeyId)!.consume(apiKeyId, ...rest),
    within: refuse,
    transaction: async () => refuse(),
    close: async () => void (await Promise.all(storages.map((home) => home.close()))),
  };
}

const [first, second] = [memoryStorage(), memoryStorage()];
const tracker = createTracker({ storage: spread([first, second], (name) => (name === "acme" ? second : first)) });
const track = async (key: string, externalId: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ externalId, eventKey: "signup_completed" });
  return (await tracker.handle(new Request("http://localhost/api/v1/events", { method: "POST", headers, body })))
    .status;
};
const open = async (name: string): Promise<string> => {
  await tracker.workspace(name).contacts.upsert({ email: "ada@example.com" });
  return (await tracker.workspace(name).apiKeys.create({ name: "backend" })).key;
};
const [acme, globex] = [await open("acme"), await open("globex")];
assert.deepEqual([await track(acme, "ada@example.com"), await track(globex, "ada@example.com")], [201, 201]);
assert.equal(await track(`sk_${"A".repeat(43)}`, "ada@example.com"), 401);
assert.deepEqual([await second.countContacts("acme"), await first.countContacts("acme")], [1, 0]);
assert.deepEqual([await second.countContacts("globex"), await first.countContacts("globex")], [0, 1]);

// If a database is gone, only its own workspaces are unavailable.
await first.close();
assert.deepEqual([await track(acme, "ada@example.com"), await track(globex, "ada@example.com")], [201, 503]);

await tracker.close();
console.log("each workspace is in its own database, and one server answers for both");
