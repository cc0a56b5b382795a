import { planWatches } from "../../../lib/decisions/watch-plans.ts";
import type { DefinitionOf, DefinitionRow } from "../../../lib/storage/rows.ts";
import { toWatch, watchStatements as sql } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/** Reads the definitions of one kind in the transaction. */
type ReadKind = <Kind extends DefinitionRow["kind"]>(kind: Kind) => Promise<readonly DefinitionOf<Kind>[]>;

/** Brings the watches of a workspace up to date after a definition was written. `draft` is `null` after a deletion. */
export async function updateWatches(
  work: Work,
  workspace: string,
  draft: DefinitionRow | null,
  read: ReadKind,
): Promise<void> {
  const stored = (await work.rows(sql.listWatches([workspace]))).map(toWatch);
  const subscriptions = await read("subscription");
  if (stored.length === 0 && !subscriptions.some(({ body }) => body.on.audiences)) return;
  const definitions = {
    subscriptions,
    audiences: await read("audience"),
    attributes: await read("attribute"),
    checklists: await read("checklist"),
  };
  const announced = draft?.kind === "audience" && draft.body.announce ? draft.key : null;
  const written = { workspace, at: draft?.createdAt ?? 0, announced };
  const { added, changed, ended } = planWatches(stored, definitions, written);
  for (const watch of ended) await work.write(sql.endWatch(watch.id));
  for (const watch of changed) await work.write(sql.changeWatch(watch));
  for (const watch of added) await work.write(sql.insertWatch(watch));
}
