/** Lists of events. They find the ids in an index alone, before they read an event. */
import type { Position, Span } from "../../../lib/storage/rows.ts";
import { eventColumns } from "./events.ts";
import { bytes, fragment, hexOf, integer, sqlOf, uuid } from "./fragments.ts";
import { beyond, inOrder, type Direction, type Part } from "./positions.ts";
import { query, table, template, type Statement, type Template } from "./statement.ts";

export const listEvents = (contactId: string, part: Part): Statement => query("listEvents")`
  ${readListed(idsOf(contactId, part, "DESC"))}`;

/**
 * Lists the events of one key. It reads only events between the key's first and last time in the summary. There is one
 * summary, so the index of the events gives the order.
 */
export const listEventsOfKey = (workspace: string, contactId: string, eventKey: string, part: Part): Statement => {
  const source = template`${table.summaries} s FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (by_contact)
    ON e.contact_id = s.contact_id AND e.created_at BETWEEN s.first_at AND s.last_at
  WHERE s.workspace = ${workspace} AND s.event_key = ${eventKey} AND s.contact_id = ${uuid(contactId)}`;
  return query("listEventsOfKey")`${readListed(idsIn(source, eventKey, part))}`;
};

export const listEventIds = (contactId: string, after: Position | null, limit: number): Statement =>
  query("listEventIds")`${idsOf(contactId, { after, limit }, "ASC")}`;

/** Lists the events of all contacts. To find those of one key, it reads each event until the page is full. */
export const listRecentEvents = (workspace: string, eventKey: string | null, part: Part): Statement => {
  const source = template`${table.events} e FORCE INDEX (by_creation) WHERE e.workspace = ${workspace}`;
  return query("listRecentEvents")`${readRecent(idsIn(source, eventKey, part))}`;
};

/** Lists the events of one key by the contacts that have such events. Reads the index entries of all events of these contacts. */
export const listRareEvents = (workspace: string, eventKey: string, part: Part): Statement => {
  const source = template`${table.summaries} s FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (by_contact) ON e.contact_id = s.contact_id
  WHERE s.workspace = ${workspace} AND s.event_key = ${eventKey}`;
  return query("listRareEvents")`${readRecent(idsIn(source, eventKey, part))}`;
};

/** The number of contacts that did events of the key, counted no further than the limit. */
export const countContactsThatDid = (workspace: string, eventKey: string, limit: number): Statement =>
  query("countContactsThatDid")`
  SELECT COUNT(*) AS contacts FROM (SELECT 1 FROM ${table.summaries} FORCE INDEX (PRIMARY)
  WHERE workspace = ${workspace} AND event_key = ${eventKey} LIMIT ${integer(limit)}) counted`;

/** Counts the events and their contacts in one range of an index, and the new contacts in one of another. Reads no row. */
export const countActivity = (workspace: string, eventKey: string | null, { from, to }: Span): Statement => {
  const ofKey = eventKey === null ? sqlOf("") : fragment` AND event_key = ${eventKey}`;
  const inSpan = fragment`FORCE INDEX (by_creation)
  WHERE workspace = ${workspace} AND created_at >= ${from} AND created_at < ${to}`;
  return query("countActivity")`
  SELECT COUNT(*) AS events, COUNT(DISTINCT contact_id) AS contacts,
    (SELECT COUNT(*) FROM ${table.contacts} ${inSpan}) AS new_contacts
  FROM ${table.events} ${inSpan}${ofKey}`;
};

/** Without the inner LIMIT, a page would read through the events of other workspaces until it is full. */
export const listRecorded = (workspace: string, after: string | null, limit: number): Statement => {
  // The empty text sorts before every id.
  const start = bytes(after === null ? "" : hexOf(after));
  return query("listRecorded")`
  SELECT listed.id AS listed_id, ${eventColumns}, c.effective_external_id FROM (
    SELECT id FROM ${table.events} FORCE INDEX (PRIMARY) WHERE id > ${start} ORDER BY id LIMIT ${integer(limit)}) listed
  LEFT JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = listed.id AND e.workspace = ${workspace}
  LEFT JOIN ${table.contacts} c ON c.id = e.contact_id ORDER BY listed.id`;
};

function idsOf(contactId: string, part: Part, direction: Direction): Template {
  const source = template`${table.events} e FORCE INDEX (by_contact) WHERE e.contact_id = ${uuid(contactId)}`;
  return idsIn(source, null, part, direction);
}

/** Selects the ids of the events. `source` ends with the condition of its rows. */
function idsIn(
  source: Template,
  eventKey: string | null,
  { after, limit }: Part,
  direction: Direction = "DESC",
): Template {
  const ofKey = eventKey === null ? sqlOf("") : fragment` AND e.event_key = ${eventKey}`;
  return template`SELECT e.id, e.created_at FROM ${source}${ofKey}${beyond("e", after, direction)}
  ${inOrder("e", direction)} LIMIT ${integer(limit)}`;
}

const readListed = (ids: Template): Template => template`SELECT ${eventColumns} FROM (${ids}) listed
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = listed.id ${inOrder("e", "DESC")}`;

/** Like `readListed`, with each event's contact. */
const readRecent = (ids: Template): Template => template`
  SELECT ${eventColumns}, c.effective_external_id, c.email, c.name FROM (${ids}) listed
  STRAIGHT_JOIN ${table.events} e FORCE INDEX (PRIMARY) ON e.id = listed.id
  STRAIGHT_JOIN ${table.contacts} c FORCE INDEX (PRIMARY) ON c.id = e.contact_id ${inOrder("e", "DESC")}`;
