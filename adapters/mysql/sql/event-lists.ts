/** Lists of events. They find the ids in an index alone, before they read an event. */
import type { Position } from "../../../lib/storage/rows.ts";
import { eventColumns } from "./events.ts";
import { beyond, inOrder, type Direction, type Part } from "./positions.ts";
import { hexOf, type Fragment, type Statement, type Tables } from "./statement.ts";

export const listEvents =
  (contactId: string, part: Part): Statement =>
  ({ events }) => ({ name: "listEvents", ...readListed(events, idsOf(events, contactId, part, "DESC")) });

/**
 * Lists the events of one key. It reads only events between the key's first and last time in the summary. There is one
 * summary, so the index of the events gives the order.
 */
export const listEventsOfKey =
  (workspace: string, contactId: string, eventKey: string, part: Part): Statement =>
  ({ events, summaries }) => {
    const ids = idsWhere(
      `${summaries} s FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN ${events} e FORCE INDEX (by_contact) ON e.contact_id = s.contact_id AND e.created_at BETWEEN s.first_at AND s.last_at`,
      "s.workspace = CAST(? AS BINARY) AND s.event_key = CAST(? AS BINARY) AND s.contact_id = UNHEX(?)",
      eventKey,
      part,
    );
    const values = [workspace, eventKey, hexOf(contactId), ...ids.values];
    return { name: "listEventsOfKey", ...readListed(events, { ...ids, values }) };
  };

export const listEventIds =
  (contactId: string, after: Position | null, limit: number): Statement =>
  ({ events }) => ({ name: "listEventIds", ...idsOf(events, contactId, { after, limit }, "ASC") });

/** Lists the events of all contacts. To find those of one key, it reads each event until the page is full. */
export const listRecentEvents =
  (workspace: string, eventKey: string | null, part: Part): Statement =>
  (tables) => {
    const source = `${tables.events} e FORCE INDEX (by_creation)`;
    const ids = idsWhere(source, "e.workspace = CAST(? AS BINARY)", eventKey, part);
    return { name: "listRecentEvents", ...readRecent(tables, { ...ids, values: [workspace, ...ids.values] }) };
  };

/** Lists the events of one key by the contacts that have such events. Reads the index entries of all events of these contacts. */
export const listRareEvents =
  (workspace: string, eventKey: string, part: Part): Statement =>
  (tables) => {
    const ids = idsWhere(
      `${tables.summaries} s FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN ${tables.events} e FORCE INDEX (by_contact) ON e.contact_id = s.contact_id`,
      "s.workspace = CAST(? AS BINARY) AND s.event_key = CAST(? AS BINARY)",
      eventKey,
      part,
    );
    return { name: "listRareEvents", ...readRecent(tables, { ...ids, values: [workspace, eventKey, ...ids.values] }) };
  };

/** The number of contacts that did events of the key, counted no further than the limit. */
export const countContactsThatDid =
  (workspace: string, eventKey: string, limit: number): Statement =>
  ({ summaries }) => ({
    name: "countContactsThatDid",
    sql: `SELECT COUNT(*) AS contacts FROM (SELECT 1 FROM ${summaries} FORCE INDEX (PRIMARY)
  WHERE workspace = CAST(? AS BINARY) AND event_key = CAST(? AS BINARY) LIMIT ?) counted`,
    values: [workspace, eventKey, String(limit)],
  });

/** Without the inner LIMIT, a page would read through the events of other workspaces until it is full. */
export const listRecorded =
  (workspace: string, after: string | null, limit: number): Statement =>
  (tables) => ({
    name: "listRecorded",
    sql: `SELECT listed.id AS listed_id, ${eventColumns}, c.effective_external_id
FROM (SELECT id FROM ${tables.events} FORCE INDEX (PRIMARY) WHERE id > UNHEX(?) ORDER BY id LIMIT ?) listed
LEFT JOIN ${tables.events} e FORCE INDEX (PRIMARY) ON e.id = listed.id AND e.workspace = CAST(? AS BINARY)
LEFT JOIN ${tables.contacts} c ON c.id = e.contact_id ORDER BY listed.id`,
    // The empty text sorts before every id.
    values: [after === null ? "" : hexOf(after), String(limit), workspace],
  });

function idsOf(events: string, contactId: string, part: Part, direction: Direction): Fragment {
  const ids = idsWhere(`${events} e FORCE INDEX (by_contact)`, "e.contact_id = UNHEX(?)", null, part, direction);
  return { ...ids, values: [hexOf(contactId), ...ids.values] };
}

/** Selects the ids of the events that fulfil the condition. The caller must put the values of `condition` before those returned. */
function idsWhere(
  source: string,
  condition: string,
  eventKey: string | null,
  { after, limit }: Part,
  direction: Direction = "DESC",
): Fragment {
  const position = beyond("e", after, direction);
  return {
    sql: `SELECT e.id, e.created_at FROM ${source}
WHERE ${condition}${eventKey === null ? "" : " AND e.event_key = CAST(? AS BINARY)"}${position.sql}
${inOrder("e", direction)} LIMIT ?`,
    // The driver sends every number as a DOUBLE, which MySQL does not accept for LIMIT.
    values: [...(eventKey === null ? [] : [eventKey]), ...position.values, String(limit)],
  };
}

function readListed(events: string, { sql, values }: Fragment): Fragment {
  return { sql: `SELECT ${eventColumns} ${fromListed(events, sql)} ${inOrder("e", "DESC")}`, values };
}

/** Like `readListed`, with each event's contact. */
function readRecent({ events, contacts }: Tables, { sql, values }: Fragment): Fragment {
  return {
    sql: `SELECT ${eventColumns}, c.effective_external_id ${fromListed(events, sql)}
STRAIGHT_JOIN ${contacts} c FORCE INDEX (PRIMARY) ON c.id = e.contact_id ${inOrder("e", "DESC")}`,
    values,
  };
}

function fromListed(events: string, ids: string): string {
  return `FROM (${ids}) listed
STRAIGHT_JOIN ${events} e FORCE INDEX (PRIMARY) ON e.id = listed.id`;
}
