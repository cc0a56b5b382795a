import { frozen, putDefinition as decide } from "../../lib/decisions/definitions.ts";
import type { DefinitionOf, DefinitionRow, Refused } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { createCache } from "./cache.ts";
import { BeginAgain } from "./connection/index.ts";
import { toDefinition, definitionStatements as sql } from "./sql/index.ts";
import type { Runner, Work } from "./transactions/index.ts";
import { writeOne } from "./write-one.ts";

/** Lists the definitions of one kind. */
export type ListDefinitions = <Kind extends DefinitionRow["kind"]>(
  workspace: string,
  kind: Kind,
) => Promise<readonly DefinitionOf<Kind>[]>;

interface Definitions extends Pick<Storage, "putDefinition" | "listDefinitions" | "deleteDefinition"> {
  /** Like `listDefinitions`, but from a read that began at most `maxAgeMs` ago. Of calls at once, one reads. */
  listRecent: (maxAgeMs: number) => ListDefinitions;
}

interface List {
  rows: DefinitionRow[];
  /** When its read began, by `performance.now()`. */
  readAt: number;
}

export function createDefinitions(runner: Runner, cacheSeconds: number, assertOpen: () => void): Definitions {
  const lists = createCache<List>(cacheSeconds, async (names) => {
    const readAt = performance.now();
    const found = await runner.read((work) => readLists(work, names));
    return new Map(Array.from(found, ([name, rows]) => [name, { rows: rows.map(frozen), readAt }]));
  });
  // A read takes a while. Calls that meet it wait for it, so that it is not followed by another for them.
  const renewals = new Map<string, Promise<List>>();

  // The load finds a list for every name.
  const remembered = async (name: string): Promise<List> => (await (renewals.get(name) ?? lists.get(name)))!;

  function renew(name: string): Promise<List> {
    const running = renewals.get(name);
    if (running) return running;
    lists.forget(name);
    const renewal = remembered(name).finally(() => renewals.get(name) === renewal && renewals.delete(name));
    renewals.set(name, renewal);
    return renewal;
  }

  function forget(name: string): void {
    renewals.delete(name);
    lists.forget(name);
  }

  return {
    listRecent: (maxAgeMs) => async (workspace, kind) => {
      const name = listName(workspace, kind);
      const list = await remembered(name);
      const { rows } = performance.now() - list.readAt <= maxAgeMs ? list : await renew(name);
      return rows as DefinitionOf<typeof kind>[];
    },
    async putDefinition(draft) {
      const name = listName(draft.workspace, draft.kind);
      try {
        return await writeOne(runner, draft, putDefinition);
      } finally {
        forget(name);
      }
    },
    async listDefinitions(workspace, kind, { fresh } = { fresh: false }) {
      assertOpen();
      if (fresh) return runner.read((work) => listDefinitions(work, workspace, kind));
      return [...(await remembered(listName(workspace, kind))).rows] as DefinitionOf<typeof kind>[];
    },
    async deleteDefinition(workspace, kind, key) {
      try {
        return await writeOne(runner, null, async (work: Work<string>) => {
          const before = await find(work, workspace, kind, key);
          if (work.intended !== null && before?.id !== work.intended) return true;
          work.intend(before?.id ?? null);
          return before !== null && (await work.write(sql.deleteDefinition(before.id))) > 0;
        });
      } finally {
        forget(listName(workspace, kind));
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
): Promise<DefinitionOf<Kind>[]> {
  const name = listName(workspace, kind);
  // A list is found for every name.
  return (await readLists(work, [name])).get(name)! as DefinitionOf<Kind>[];
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

async function readLists(work: Work, names: readonly string[]): Promise<Map<string, DefinitionRow[]>> {
  const lists = new Map<string, DefinitionRow[]>(names.map((name) => [name, []]));
  const rows = await work.rows(sql.listDefinitions(names));
  // The rows are of the lists that were asked for.
  for (const row of rows.map(toDefinition)) lists.get(listName(row.workspace, row.kind))!.push(row);
  return lists;
}

/** Reads the definition, decides, and writes only if the row has not changed since. So it needs no lock. */
async function putDefinition(work: Work, draft: DefinitionRow): Promise<DefinitionRow | Refused> {
  const before = await find(work, draft.workspace, draft.kind, draft.key);
  const after = decide(before, draft);
  if ("refused" in after) return after;
  if (!before) await work.write(sql.insertDefinition(after));
  else if (JSON.stringify(before.body) !== JSON.stringify(after.body)) {
    if ((await work.write(sql.updateDefinition(before, after))) === 0) throw new BeginAgain();
  }
  return after;
}

async function find(work: Work, workspace: string, kind: string, key: string): Promise<DefinitionRow | null> {
  const [row] = await work.rows(sql.findDefinition(workspace, kind, key));
  return row ? toDefinition(row) : null;
}
