import { frozen } from "../../../lib/decisions/definition-writes.ts";
import type { DefinitionOf, DefinitionRow } from "../../../lib/storage/rows.ts";
import type { DefinitionStorage } from "../../../lib/storage/definitions.ts";
import { createCache, assertCaughtUp, type Runner, type Work, writeOne } from "../transactions/index.ts";
import { listName, readLists } from "./lists.ts";
import { putDefinition, deleteDefinition } from "./writes.ts";

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
): DefinitionStorage {
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
  // The renewals that run. Calls in the meantime share them instead of reading again.
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
