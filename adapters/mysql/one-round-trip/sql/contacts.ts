import type { ContactDraft } from "../../../../lib/storage/rows.ts";
import { attributesIn } from "../../definitions/index.ts";
import { fragment, hexOf, named, sqlOf, type Part, type Tables } from "../../sql/index.ts";

/** The condition that the preceding SELECT has found no row, and that all attributes of the drafts are defined. */
export function mayCreate({ definitions }: Tables, drafts: readonly ContactDraft[]): Part {
  const pairs = drafts.flatMap((draft) => attributesIn([draft]).map((id) => [hexOf(id), draft.workspace]));
  if (pairs.length === 0) return "FOUND_ROWS() = 0";
  return fragment`FOUND_ROWS() = 0 AND (SELECT COUNT(*) FROM ${named(pairs, { id: "id", workspace: "workspace" })}
  STRAIGHT_JOIN ${sqlOf(definitions)} d FORCE INDEX (PRIMARY)
    ON d.id = named.id AND d.workspace = named.workspace AND d.kind = CAST('attribute' AS BINARY)) = ${pairs.length}`;
}
