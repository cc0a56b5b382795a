import type { ContactDraft } from "../../../../lib/storage/rows.ts";
import { attributesIn } from "../../definitions/index.ts";
import { hexOf, type Part, type Tables } from "../../sql/index.ts";

/** The condition that the preceding SELECT has found no row, and that all attributes of the drafts are defined. */
export function mayCreate({ definitions }: Tables, drafts: readonly ContactDraft[]): Part {
  const pairs = drafts.flatMap((draft) => attributesIn([draft]).map((id) => [hexOf(id), draft.workspace]));
  if (pairs.length === 0) return "FOUND_ROWS() = 0";
  return {
    sql: `FOUND_ROWS() = 0 AND (SELECT COUNT(*)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]')) listed
  STRAIGHT_JOIN ${definitions} d FORCE INDEX (PRIMARY) ON d.id = UNHEX(listed.id)
    AND d.workspace = CAST(listed.w AS BINARY) AND d.kind = CAST('attribute' AS BINARY)) = ?`,
    values: [JSON.stringify(pairs), pairs.length],
  };
}
