import { frozen, putDefinition as decide } from "../../lib/decisions/definitions.ts";
import type { DefinitionOf, DefinitionRow, Refused } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { createCache } from "./cache.ts";
import { BeginAgain } from "./connection/index.ts";
import { toDefinition, definitionStatements as sql } from "./sql/index.ts";
import type { Runner, Work } from "./transactions/index.ts";
import { writeOne } from "./write-one.ts";

type DefinitionMethods = Pick<Storage, "putDefinition" | "listDefinitions" | "deleteDefinition">;

export function createDefinitions(runner: Runner, cacheSeconds: number, assertOpen: () => void): DefinitionMethods {
  const lists = createCache<DefinitionRow[]>(cacheSeconds, async (names) => {
    const rows = await runner.read((work) => work.rows(sql.listDefinitions(names)));
    const found = new Map<string, DefinitionRow[]>(names.map((name) => [name, []]));
    // The rows are of the lists that were asked for.
    for (const row of rows.map(toDefinition)) found.get(listName(row.workspace, row.kind))!.push(frozen(row));
    return found;
  });

  return {
    async putDefinition(draft) {
      const name = listName(draft.workspace, draft.kind);
      try {
        return await writeOne(runner, draft, putDefinition);
      } finally {
        lists.forget(name);
      }
    },
    async listDefinitions(workspace, kind) {
      assertOpen();
      // The load finds a list for every name.
      return [...(await lists.get(listName(workspace, kind)))!] as DefinitionOf<typeof kind>[];
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
        lists.forget(listName(workspace, kind));
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
  return (await work.rows(sql.listDefinitions([listName(workspace, kind)]))).map(toDefinition) as DefinitionOf<Kind>[];
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
