import type { ContactPatch } from "../../../lib/storage/rows.ts";
import { definitionStatements as sql, id, text, type Row } from "../sql/index.ts";
import type { Work } from "../transactions/index.ts";

/**
 * Reads which of the patches' attributes are defined. In a caller's transaction it locks the rows, because the snapshot may be old.
 * Otherwise it takes no lock, so an attribute may be deleted before the contacts are written.
 */
export async function findDefinedAttributes(
  work: Work,
  changes: readonly { patch: ContactPatch }[],
): Promise<(workspace: string, id: string) => boolean> {
  const ids = attributesIn(changes);
  const rows = ids.length > 0 ? await work.rows(sql.findAttributes(ids, work.waits ? "LOCK IN SHARE MODE" : "")) : [];
  return definedBy(rows);
}

/** The ids of the attributes that the patches name. */
export function attributesIn(changes: readonly { patch: ContactPatch }[]): string[] {
  return [...new Set(changes.flatMap(({ patch }) => Object.keys(patch.attributes)))];
}

/** Returns a test of whether the rows of `findAttributes` contain an attribute. */
export function definedBy(rows: readonly Row[]): (workspace: string, id: string) => boolean {
  const found = new Set(rows.map((row) => `${text(row.workspace)} ${id(row.id)}`));
  return (workspace, attributeId) => found.has(`${workspace} ${attributeId}`);
}
