/** The members of watched audiences. */
import { hexOf, type Statement } from "./statement.ts";

/** A contact that is a member of a watched audience. */
export interface Membership {
  watchId: string;
  contactId: string;
}

const listed = `(SELECT UNHEX(w) AS watch_id, UNHEX(c) AS contact_id
  FROM JSON_TABLE(?, '$[*]' COLUMNS (w CHAR(32) PATH '$[0]', c CHAR(32) PATH '$[1]')) listed) named`;

function jsonOf(pairs: readonly Membership[]): string {
  return JSON.stringify(pairs.map(({ watchId, contactId }) => [hexOf(watchId), hexOf(contactId)]));
}

/** Finds which of the memberships exist. */
export const findMemberships =
  (pairs: readonly Membership[]): Statement =>
  ({ memberships }) => ({
    name: "findMemberships",
    sql: `SELECT m.watch_id, m.contact_id FROM ${listed}
STRAIGHT_JOIN ${memberships} m FORCE INDEX (PRIMARY) ON m.watch_id = named.watch_id AND m.contact_id = named.contact_id`,
    values: [jsonOf(pairs)],
  });

/** Lists the members among the contacts after one id, up to and including another; with a limit, only some. */
export const listMemberships =
  (watchId: string, after: string | null, upTo: string | null, limit: number | null = null): Statement =>
  ({ memberships }) => ({
    name: "listMemberships",
    sql: `SELECT m.contact_id FROM ${memberships} m FORCE INDEX (PRIMARY)
WHERE m.watch_id = UNHEX(?)${after === null ? "" : " AND m.contact_id > UNHEX(?)"}${upTo === null ? "" : " AND m.contact_id <= UNHEX(?)"}${limit === null ? "" : " LIMIT ?"}`,
    values: [
      ...[watchId, after, upTo].flatMap((id) => (id === null ? [] : hexOf(id))),
      ...(limit === null ? [] : [String(limit)]),
    ],
  });

/** Leaves existing memberships as they are. The number of affected rows is that of the new memberships. */
export const insertMemberships =
  (pairs: readonly Membership[]): Statement =>
  ({ memberships }) => ({
    name: "insertMemberships",
    sql: `INSERT IGNORE INTO ${memberships} (watch_id, contact_id) SELECT named.watch_id, named.contact_id FROM ${listed}`,
    values: [jsonOf(pairs)],
  });

export const deleteMemberships =
  (pairs: readonly Membership[]): Statement =>
  ({ memberships }) => ({
    name: "deleteMemberships",
    sql: `DELETE m FROM ${listed}
STRAIGHT_JOIN ${memberships} m FORCE INDEX (PRIMARY) ON m.watch_id = named.watch_id AND m.contact_id = named.contact_id`,
    values: [jsonOf(pairs)],
  });

export const deleteMembershipsOf =
  (contactId: string): Statement =>
  ({ memberships }) => ({
    name: "deleteMembershipsOf",
    sql: `DELETE m FROM ${memberships} m FORCE INDEX (by_contact) WHERE m.contact_id = UNHEX(?)`,
    values: [hexOf(contactId)],
    mayChangeNothing: true,
  });
