/** The statement of `../events/plain-batch.ts`. */
import type { EventDraft } from "../../../lib/storage/rows.ts";
import type { Name } from "./contacts.ts";
import { control } from "./control.ts";
import { addUp, summaryColumns } from "./events.ts";
import { hexOf, type Query, type Statement, type Tables } from "./statement.ts";

/** A draft of an event that names its contact by externalId and has no Idempotency-Key. */
export type PlainDraft = EventDraft & { contact: { externalId: string }; idempotencyHash: null; fingerprint: null };

/**
 * A transaction in one compound statement of MariaDB. Locks the contacts with these effective externalIds, the drafts' in any
 * order and each once. If all are there, and nobody holds one, adds the events and their summaries; else it writes nothing.
 * Returns the ids of the contacts that it has locked; `place` counts the names from 1.
 */
export const recordPlainEvents =
  (names: readonly Name[], drafts: readonly PlainDraft[]): Statement =>
  (tables) => {
    const [only] = drafts;
    return only && drafts.length === 1 ? recordOne(tables, only) : recordAll(tables, names, drafts);
  };

const columns = "id, workspace, contact_id, event_key, properties, created_at";

const recordAll = (
  { contacts, events, summaries }: Tables,
  names: readonly Name[],
  drafts: readonly PlainDraft[],
): Query => ({
  name: "recordPlainEvents",
  // FOUND_ROWS() counts the rows of the SELECT before it. The summaries read the events that were just inserted: an id that
  // was there before has ended the statement.
  sql: `BEGIN NOT ATOMIC
${control.begin};
SELECT named.place, c.id
FROM JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]',
  n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]')) named
STRAIGHT_JOIN ${contacts} c FORCE INDEX (by_external_id)
  ON c.workspace = CAST(named.w AS BINARY) AND c.effective_external_id = CAST(named.n AS BINARY) FOR UPDATE SKIP LOCKED;
IF FOUND_ROWS() = ? THEN
INSERT INTO ${events} (${columns})
SELECT UNHEX(e.id), c.workspace, c.id, e.event_key, e.properties, e.created_at
FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]',
  n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[3]',
  properties MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[4]', created_at BIGINT PATH '$[5]')) e
STRAIGHT_JOIN ${contacts} c FORCE INDEX (by_external_id)
  ON c.workspace = CAST(e.w AS BINARY) AND c.effective_external_id = CAST(e.n AS BINARY);
INSERT INTO ${summaries} (${summaryColumns})
SELECT e.contact_id, e.event_key, e.workspace, COUNT(*), MIN(e.created_at), MAX(e.created_at)
FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed
STRAIGHT_JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = UNHEX(listed.id)
GROUP BY e.event_key, e.contact_id ORDER BY e.event_key, e.contact_id ${addUp(summaries)};
${control.commit};
ELSE ${control.rollback};
END IF;
END`,
  values: [
    JSON.stringify(names),
    names.length,
    JSON.stringify(drafts.map(toArray)),
    JSON.stringify(drafts.map(({ id }) => hexOf(id))),
  ],
});

/** A single event goes without JSON_TABLE, which saves a third of what the statement takes. */
const recordOne = ({ contacts, events, summaries }: Tables, draft: PlainDraft): Query => {
  const { workspace, contact, id, eventKey, properties, createdAt } = draft;
  return {
    name: "recordPlainEvents",
    sql: `BEGIN NOT ATOMIC
DECLARE locked BINARY(16);
${control.begin};
SELECT c.id INTO locked FROM ${contacts} c FORCE INDEX (by_external_id)
WHERE c.workspace = CAST(? AS BINARY) AND c.effective_external_id = CAST(? AS BINARY) FOR UPDATE SKIP LOCKED;
IF locked IS NOT NULL THEN
INSERT INTO ${events} (${columns}) VALUES (UNHEX(?), CAST(? AS BINARY), locked, CAST(? AS BINARY), ?, ?);
INSERT INTO ${summaries} (${summaryColumns})
VALUES (locked, CAST(? AS BINARY), CAST(? AS BINARY), 1, ?, ?) ${addUp(summaries)};
${control.commit};
SELECT 1 AS place, locked AS id;
ELSE ${control.rollback};
END IF;
END`,
    values: [
      workspace,
      contact.externalId,
      hexOf(id),
      workspace,
      eventKey,
      properties,
      createdAt,
      eventKey,
      workspace,
      createdAt,
      createdAt,
    ],
  };
};

function toArray({ id, workspace, contact, eventKey, properties, createdAt }: PlainDraft): (string | number)[] {
  return [hexOf(id), workspace, contact.externalId, eventKey, properties, createdAt];
}
