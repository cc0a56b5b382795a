import { workspaceDeleted } from "../../lib/storage/refusals.ts";
import { frozen, putDefinition as decide } from "../../lib/decisions/definition-writes.ts";
import { refusalOfAudience, refusalOfDeletion, refusalOfSubscription } from "../../lib/decisions/named-definitions.ts";
import type {
  AttributeRow,
  AudienceRow,
  ChecklistRow,
  DefinitionOf,
  DefinitionRow,
  Refused,
  SubscriptionRow,
} from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { createCache } from "./cache.ts";
import { isDeletedWorkspace } from "./deleted-workspaces.ts";
import { BeginAgain } from "./connection/index.ts";
import { toDefinition, definitionStatements as sql } from "./sql/index.ts";
import { updateWatches } from "./memberships/index.ts";
import { beginSubscription, endSubscription } from "./subscription-rows.ts";
import { assertCaughtUp, type Runner, type Work } from "./transactions/index.ts";
import { writeOne } from "./write-one.ts";

/** Lists the definitions of one kind. */
export type ListDefinitions = Storage["listDefinitions"];

interface List {
  rows: DefinitionRow[];
  /** When its read began, by `performance.now()`. */
  readAt: number;
  /** Equal to `readAt` if a call with `maxAgeMs` caused the read; else `-Infinity`. */
  renewedAt: number;
}

export function createDefinitions(
  runner: Runner,
  cacheSeconds: number,
  assertOpen: () => void,
  forgetSubscriptions: (workspace: string) => void,
): Pick<Storage, "putDefinition" | "listDefinitions" | "deleteDefinition"> {
  const lists = createCache<List>(cacheSeconds, async (names) => {
    const readAt = performance.now();
    const found = await runner.read((work) => {
      // Clients do not retry a refusal, so it must not depend on a node that lacks the last writes.
      if (names.some((name) => renewals.has(name))) assertCaughtUp(work);
      return readLists(work, names);
    });
    return new Map(
      Array.from(found, ([name, rows]) => [name, { rows: rows.map(frozen), readAt, renewedAt: -Infinity }]),
    );
  });
  // The renewals that run. Calls that arrive meanwhile share them, so that they cause no reads of their own.
  const renewals = new Map<string, Promise<List>>();

  // The load finds a list for every name.
  const remembered = (name: string): Promise<List> => renewals.get(name) ?? (lists.get(name) as Promise<List>);

  async function load(name: string): Promise<List> {
    const list = (await lists.get(name))!;
    list.renewedAt = list.readAt;
    return list;
  }

  function renew(name: string): Promise<List> {
    const running = renewals.get(name);
    if (running) return running;
    lists.forget(name);
    const renewal = load(name).finally(() => renewals.get(name) === renewal && renewals.delete(name));
    renewals.set(name, renewal);
    return renewal;
  }

  /** The first call with `maxAgeMs` reads even a fresh list again, because a definition may have been added since. */
  async function notOlder(name: string, maxAgeMs: number): Promise<List> {
    const calledAt = performance.now();
    // A read that is running may have begun before the call.
    if (maxAgeMs === 0) forget(name);
    else {
      const list = await remembered(name);
      if (list.renewedAt >= calledAt - maxAgeMs) return list;
    }
    return renew(name);
  }

  function forget(name: string): void {
    renewals.delete(name);
    lists.forget(name);
  }

  function forgetWritten(workspace: string, kind: DefinitionRow["kind"]): void {
    forget(listName(workspace, kind));
    if (kind !== "event") forgetSubscriptions(workspace);
  }

  return {
    async putDefinition(draft) {
      const { workspace, kind } = draft;
      try {
        return await writeOne(runner, draft, putDefinition);
      } finally {
        forgetWritten(workspace, kind);
      }
    },
    async listDefinitions(workspace, kind, options) {
      assertOpen();
      const name = listName(workspace, kind);
      const { rows } = await (options ? notOlder(name, options.maxAgeMs) : remembered(name));
      return [...rows] as DefinitionOf<typeof kind>[];
    },
    async deleteDefinition(workspace, kind, key) {
      try {
        return await writeOne(runner, null, (work: Work<string>) => deleteDefinition(work, workspace, kind, key));
      } finally {
        forgetWritten(workspace, kind);
      }
    },
  };
}

/** The name of a list of definitions: the JSON of its workspace and kind. */
function listName(workspace: string, kind: string): string {
  return JSON.stringify([workspace, kind]);
}

/** Reads the definitions from the database, not from the cache. */
export async function listDefinitions<Kind extends DefinitionRow["kind"]>(
  work: Work,
  workspace: string,
  kind: Kind,
  lock?: "" | "LOCK IN SHARE MODE",
): Promise<DefinitionOf<Kind>[]> {
  const name = listName(workspace, kind);
  // A list is found for every name.
  return (await readLists(work, [name], lock)).get(name)! as DefinitionOf<Kind>[];
}

/** Reads lists of these workspaces and kinds from the database, in one statement. */
export async function readDefinitions(
  work: Work,
  workspaces: Iterable<string>,
  kinds: readonly DefinitionRow["kind"][],
): Promise<ListDefinitions> {
  const names = Array.from(new Set(workspaces), (workspace) => kinds.map((kind) => listName(workspace, kind)));
  const lists = await readLists(work, names.flat());
  return async (workspace, kind) => (lists.get(listName(workspace, kind)) ?? []) as DefinitionOf<typeof kind>[];
}

/** Reads the subscriptions of these workspaces with a lock, because the snapshot of a caller's transaction may be old. */
export async function listLocked(
  work: Work,
  workspaces: readonly string[],
): Promise<ReadonlyMap<string, readonly SubscriptionRow[]>> {
  const found = new Map(workspaces.map((workspace): [string, SubscriptionRow[]] => [workspace, []]));
  const names = workspaces.map((workspace) => listName(workspace, "subscription"));
  const rows = names.length > 0 ? await work.rows(sql.listDefinitions(names, "LOCK IN SHARE MODE")) : [];
  for (const row of rows.map(toDefinition)) found.get(row.workspace)!.push(row as SubscriptionRow);
  return found;
}

async function readLists(
  work: Work,
  names: readonly string[],
  lock?: "" | "LOCK IN SHARE MODE",
): Promise<Map<string, DefinitionRow[]>> {
  const lists = new Map<string, DefinitionRow[]>(names.map((name) => [name, []]));
  const rows = await work.rows(sql.listDefinitions(names, lock));
  // The rows are of the lists that were asked for.
  for (const row of rows.map(toDefinition)) lists.get(listName(row.workspace, row.kind))!.push(row);
  return lists;
}

/**
 * Transactions that write definitions first write the row of the workspace. No other transaction can then write the definitions
 * that a decision depends on. A lock alone would not hold on the other nodes of a Galera cluster. Earlier versions of whodid do
 * not write the workspace's row, so the definition is updated only if it is unchanged.
 */
async function putDefinition(work: Work, draft: DefinitionRow): Promise<DefinitionRow | Refused> {
  await work.write(sql.countDefinitionWrite(draft.workspace));
  if (await isDeletedWorkspace(work, draft.workspace)) return workspaceDeleted;
  const refusal = await refusalOf(work, draft);
  if (refusal) return refusal;
  const before = await find(work, draft.workspace, draft.kind, draft.key);
  const after = decide(before, draft);
  if ("refused" in after) return after;
  if (!before) {
    await work.write(sql.insertDefinition(after));
    if (after.kind === "subscription") await beginSubscription(work, after.id);
  } else if (JSON.stringify(before.body) !== JSON.stringify(after.body)) {
    if ((await work.write(sql.updateDefinition(before, after))) === 0) throw new BeginAgain();
  }
  await updateWatches(work, draft.workspace, draft, (kind) => listDefinitions(work, draft.workspace, kind));
  return after;
}

async function refusalOf(work: Work, draft: DefinitionRow): Promise<Refused | null> {
  const { workspace } = draft;
  if (draft.kind === "subscription" && draft.body.on.audiences)
    return refusalOfSubscription(draft, await listDefinitions(work, workspace, "audience"));
  return draft.kind === "audience" ? refusalOfAudience(draft, await listNamed(work, workspace)) : null;
}

async function deleteDefinition(
  work: Work<string>,
  workspace: string,
  kind: DefinitionRow["kind"],
  key: string,
): Promise<boolean | Refused> {
  await work.write(sql.countDefinitionWrite(workspace));
  if (await isDeletedWorkspace(work, workspace)) return workspaceDeleted;
  const before = await find(work, workspace, kind, key);
  if (work.intended !== null && before?.id !== work.intended) return true;
  if (before === null) return false;
  const refusal = refusalOfDeletion(kind, key, await listUsers(work, workspace, kind));
  if (refusal) return refusal;
  work.intend(before.id);
  if (kind === "subscription") await endSubscription(work, before.id);
  const isDeleted = (await work.write(sql.deleteDefinition(before.id))) > 0;
  await updateWatches(work, workspace, null, (named) => listDefinitions(work, workspace, named));
  return isDeleted;
}

/** The definitions that can name one of the kind. */
function listUsers(
  work: Work,
  workspace: string,
  kind: DefinitionRow["kind"],
): Promise<readonly (AudienceRow | SubscriptionRow)[]> {
  if (kind === "attribute" || kind === "checklist") return listDefinitions(work, workspace, "audience");
  return kind === "audience" ? listDefinitions(work, workspace, "subscription") : Promise.resolve([]);
}

async function listNamed(work: Work, workspace: string): Promise<(AttributeRow | ChecklistRow)[]> {
  const list = await readDefinitions(work, [workspace], ["attribute", "checklist"]);
  return [...(await list(workspace, "attribute")), ...(await list(workspace, "checklist"))];
}

async function find(work: Work, workspace: string, kind: string, key: string): Promise<DefinitionRow | null> {
  const [row] = await work.rows(sql.findDefinition(workspace, kind, key));
  return row ? toDefinition(row) : null;
}
