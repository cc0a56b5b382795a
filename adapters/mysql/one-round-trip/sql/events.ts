import type { EventDraft } from "../../../../lib/storage/rows.ts";
import {
  bytes,
  control,
  either,
  eventStatements,
  fragment,
  hexOf,
  plain,
  sqlOf,
  uuid,
  type Fragment,
  type Name,
  type Part,
  type Sequence,
  type Tables,
} from "../../sql/index.ts";

const { addUp, eventFields, findIdempotencyHashes, summaryColumns } = eventStatements;

/**
 * Records a draft whose contact exists under this name and is not locked. Otherwise writes nothing. If there is a hash, returns the
 * result of `findIdempotencyHashes`. If no hash was found, returns the `id` of the contact, unless it could not be locked.
 */
export const recordOne =
  (draft: EventDraft, hashes: readonly Name[], guard: Fragment) =>
  (tables: Tables): Sequence => {
    const lock = lockContact(tables, draft, "INTO locked");
    const isWritten = fragment`locked IS NOT NULL AND ${guard}`;
    const written = [
      summarizeEvent(tables, draft, "locked"),
      insertEvent(tables, draft, "locked"),
      control.commit,
      "SELECT locked AS id",
    ];
    return {
      name: "recordEvents",
      parts: unlessKnown(tables, hashes, [control.begin, lock, either(isWritten, written, [control.rollback])]),
      declarations: "DECLARE locked BINARY(16);",
    };
  };

/**
 * Records drafts in MySQL's form. The contact of each must exist and must not be locked. A missing contact fails the INSERT (NOT
 * NULL). A known hash fails a subquery before the transaction (two rows). The subquery is in a SELECT, because MySQL locks the
 * rows that a DO or a SET reads. Returns a row with the contact of each draft, as `id0`, `id1` and so on.
 */
export const recordInSeveral =
  (drafts: readonly EventDraft[], hashes: readonly Name[], guard: Fragment) =>
  (tables: Tables): Sequence => {
    const unknown: Fragment = {
      sql: `SELECT IF(e.workspace IS NULL, 0, (SELECT 1 UNION SELECT 2)) FROM ${tables.events} e FORCE INDEX (by_idempotency)
WHERE ${hashes.map(() => "e.workspace = CAST(? AS BINARY) AND e.idempotency_hash = UNHEX(?)").join(" OR ")}`,
      values: hashes.flat(),
    };
    const writes = drafts.flatMap((draft, index): Part[] => {
      const variable = `@whodid_contact${index}`;
      return [
        fragment`SET ${sqlOf(variable)} = (${lockContact(tables, draft, "")})`,
        insertEvent(tables, draft, variable),
        summarizeEvent(tables, draft, variable),
      ];
    });
    const ids = drafts.map((_, index) => `@whodid_contact${index} AS id${index}`);
    return {
      name: "recordEvents",
      parts: [
        ...(hashes.length > 0 ? [control.readUncommitted, unknown] : []),
        control.begin,
        ...writes,
        // The guard is selected before the COMMIT, because nothing may fail after it.
        fragment`SELECT ${sqlOf(ids.join(", "))}, ${guard}`,
        control.commit,
      ],
    };
  };

function lockContact({ contacts }: Tables, { workspace, contact }: EventDraft, into: string): Fragment {
  const [column, index, name] =
    "email" in contact
      ? ["email", "by_email", contact.email]
      : ["effective_external_id", "by_external_id", contact.externalId];
  return fragment`SELECT c.id ${sqlOf(`${into} FROM ${contacts}`)} c FORCE INDEX (${sqlOf(index)})
WHERE c.workspace = ${workspace} AND ${sqlOf(`c.${column}`)} = ${name} FOR UPDATE SKIP LOCKED`;
}

/** `contactId` is the name of a variable. */
function insertEvent({ events }: Tables, draft: EventDraft, contactId: string): Fragment {
  const { workspace, id, eventKey, properties, createdAt, idempotencyHash, fingerprint } = draft;
  return fragment`INSERT INTO ${sqlOf(`${events} (${eventFields}`)}, idempotency_hash, fingerprint)
VALUES (${uuid(id)}, ${workspace}, ${sqlOf(contactId)}, ${eventKey}, ${plain(properties)}, ${createdAt},
  ${bytes(idempotencyHash)}, ${bytes(fingerprint)})`;
}

/** `contactId` is the name of a variable. */
function summarizeEvent({ summaries }: Tables, draft: EventDraft, contactId: string): Fragment {
  const { workspace, eventKey, createdAt } = draft;
  return fragment`INSERT INTO ${sqlOf(`${summaries} (${summaryColumns})`)}
VALUES (${sqlOf(contactId)}, ${eventKey}, ${workspace}, 1, ${createdAt}, ${createdAt}) ${sqlOf(addUp(summaries))}`;
}

/**
 * Records drafts whose contacts all exist under these distinct externalIds and are not locked. Otherwise writes nothing. If there
 * are hashes, returns the result of `findIdempotencyHashes`. If no hash was found, returns the `id` of each contact that could be
 * locked, and its `place` among the names, from 1.
 */
export const recordAll =
  (names: readonly Name[], drafts: readonly EventDraft[], hashes: readonly Name[], guard: Fragment) =>
  (tables: Tables): Sequence => {
    const { contacts, events, summaries } = tables;
    const hasHash = hashes.length > 0;
    const lock: Fragment = {
      sql: `SELECT named.place, c.id
FROM JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[0]',
  n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]')) named
STRAIGHT_JOIN ${contacts} c FORCE INDEX (by_external_id)
  ON c.workspace = CAST(named.w AS BINARY) AND c.effective_external_id = CAST(named.n AS BINARY) FOR UPDATE SKIP LOCKED`,
      values: [JSON.stringify(names)],
    };
    const insert: Fragment = {
      sql: `INSERT INTO ${events} (${eventFields}${hasHash ? ", idempotency_hash, fingerprint" : ""})
SELECT UNHEX(e.id), c.workspace, c.id, e.event_key, e.properties, e.created_at${
        hasHash ? ", UNHEX(e.hash), UNHEX(e.fingerprint)" : ""
      }
FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]',
  n VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]', event_key VARCHAR(100) CHARACTER SET utf8mb4 PATH '$[3]',
  properties MEDIUMTEXT CHARACTER SET utf8mb4 PATH '$[4]', created_at BIGINT PATH '$[5]'${
    hasHash ? ", hash CHAR(64) PATH '$[6]', fingerprint CHAR(64) PATH '$[7]'" : ""
  })) e
STRAIGHT_JOIN ${contacts} c FORCE INDEX (by_external_id)
  ON c.workspace = CAST(e.w AS BINARY) AND c.effective_external_id = CAST(e.n AS BINARY)`,
      values: [JSON.stringify(drafts.map((draft) => toArray(draft, hasHash)))],
    };
    // The INSERT fails if an id exists, so the rows with these ids are its own. It groups by workspace too, because MariaDB's
    // ONLY_FULL_GROUP_BY does not know that a contact has only one.
    const summarize: Fragment = {
      sql: `INSERT INTO ${summaries} (${summaryColumns})
SELECT e.contact_id, e.event_key, e.workspace, COUNT(*), MIN(e.created_at), MAX(e.created_at)
FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$')) listed
STRAIGHT_JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = UNHEX(listed.id)
GROUP BY e.event_key, e.contact_id, e.workspace ORDER BY e.event_key, e.contact_id ${addUp(summaries)}`,
      values: [JSON.stringify(drafts.map(({ id }) => hexOf(id)))],
    };
    const isWhole = fragment`FOUND_ROWS() = ${names.length} AND ${guard}`;
    const written = [insert, summarize, control.commit];
    return {
      name: "recordEvents",
      parts: unlessKnown(tables, hashes, [control.begin, lock, either(isWhole, written, [control.rollback])]),
    };
  };

/** First reads whether a transaction, open or committed, has one of the hashes. The INSERT would wait for an open one. */
function unlessKnown(tables: Tables, hashes: readonly Name[], parts: readonly Part[]): readonly Part[] {
  if (hashes.length === 0) return parts;
  return [control.readUncommitted, findIdempotencyHashes(hashes)(tables), either("FOUND_ROWS() = 0", parts)];
}

function toArray(draft: EventDraft, hasHash: boolean): (string | number | null)[] {
  const { id, workspace, contact, eventKey, properties, createdAt, idempotencyHash, fingerprint } = draft;
  const name = "email" in contact ? contact.email : contact.externalId;
  const fields = [hexOf(id), workspace, name, eventKey, properties, createdAt];
  return hasHash ? [...fields, idempotencyHash, fingerprint] : fields;
}
