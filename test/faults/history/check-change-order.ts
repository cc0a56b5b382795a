import { decodeChangeCursor } from "../../../lib/input/pages.ts";
import type { ChangeRow } from "../../../lib/storage/changes.ts";
import { fieldNames, finding, valueOf, writesOf, type Writes } from "./check-changes.ts";
import type { Evidence, Finding } from "./evidence.ts";
import type { Performed } from "./history.ts";

/** A contact's items are logged as they were completed, and no change follows that of a write which began after its own was answered. */
export function checkOrderOfChanges(evidence: Evidence): Finding[] {
  const { isCluster, rows } = evidence;
  const writes = writesOf(evidence);
  const places = new Map<string, number>();
  let latest: Performed | undefined;
  return rows.changes.flatMap((change) => {
    const { id, contact } = change;
    const text = `change ${id} follows one of a later write`;
    if (change.kind === "item_completed" && change.item.itemKey.startsWith("n")) {
      const place = Number(change.item.itemKey.slice(1));
      const isAfterLater = place <= (places.get(contact.id) ?? 0);
      places.set(contact.id, place);
      return isAfterLater ? [finding(text)] : [];
    }
    const from = writersOf(evidence, writes, change);
    const answered = Math.max(...from.map(({ end }) => end));
    // Through several nodes a write may be answered before another node has it.
    const isLate = !isCluster && latest !== undefined && answered < latest.begin && from.length > 0;
    const found = isLate ? [finding(text, [...from, latest!])] : [];
    if (from.length === 1 && from[0]!.begin > (latest?.begin ?? 0)) latest = from[0];
    return found;
  });
}

/** The calls of which one caused the change. */
function writersOf({ deletions }: Evidence, writes: Writes, change: ChangeRow): readonly Performed[] {
  if (change.kind === "contact_deleted") return deletions.get(change.contact.id) ?? [];
  if (change.kind === "event_recorded" && change.properties !== null)
    return writes.get((JSON.parse(change.properties) as { tag: string }).tag) ?? [];
  return fieldNames.flatMap((field) => writes.get(String(valueOf(change, field)?.after)) ?? []);
}

/** Every reader saw the log as it is, but for changes of contacts that were deleted meanwhile. */
export function checkReaders({ reads, rows, deletions }: Evidence): Finding[] {
  const positions = new Map(rows.changes.map(({ id, position }) => [id, position]));
  return [...reads].flatMap(([reader, read]) => {
    const seen = read.map((one) => ({ ...one, position: decodeChangeCursor(one.cursor)! }));
    const known = new Map(seen.map(({ id, position }) => [id, position]));
    const end = seen.at(-1)?.position ?? 0;
    const unordered = seen.filter(({ position }, index) => position <= (seen[index - 1]?.position ?? 0));
    const other = seen.filter(({ id, contactId, position }) => {
      const isGone = !positions.has(id) && (deletions.has(contactId) || !rows.contacts.has(contactId));
      return positions.get(id) !== position && !isGone;
    });
    const missed = rows.changes.filter(({ id, position }) => position <= end && !known.has(id));
    return [
      ...unordered.map(({ id }) => finding(`${reader} has read change ${id} out of order`)),
      ...other.map(({ id }) => finding(`${reader} has read change ${id}, which is not there in the log`)),
      ...missed.map(({ id }) => finding(`${reader} has not read change ${id}, and later ones`)),
    ];
  });
}
