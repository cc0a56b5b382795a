import { putDefinition } from "../../lib/attributes.ts";
import { TrackerError } from "../../lib/errors.ts";
import type { DefinitionRow, Storage } from "../../lib/storage.ts";
import { compare } from "./order.ts";
import { assertNotClosed, type State } from "./view.ts";

export function createDefinitions(
  state: State,
): Pick<Storage, "putDefinition" | "listDefinitions" | "deleteDefinition"> {
  const kept = new Map<string, DefinitionRow>();
  const definitions = (): typeof kept => {
    assertNotClosed(state);
    return kept;
  };
  const nameOf = (workspace: string, kind: string, key: string): string => `${workspace} ${kind} ${key}`;
  return {
    async putDefinition(draft) {
      const name = nameOf(draft.workspace, draft.kind, draft.key);
      const put = putDefinition(definitions().get(name) ?? null, draft);
      if (put instanceof TrackerError) return put;
      definitions().set(name, structuredClone(put));
      return structuredClone(put);
    },
    async listDefinitions(workspace, kind) {
      return [...definitions().values()]
        .filter((row) => row.workspace === workspace && row.kind === kind)
        .sort(compare)
        .map((row) => structuredClone(row));
    },
    async deleteDefinition(workspace, kind, key) {
      return definitions().delete(nameOf(workspace, kind, key));
    },
  };
}
