/** The members of watched audiences. */
import { fragment, hexOf, integer, named, sqlOf, uuid, type Fragment } from "./fragments.ts";
import { query, table, type Statement } from "./statement.ts";

/** A contact that is a member of a watched audience. */
export interface Membership {
  watchId: string;
  contactId: string;
}

const pairsNamed = (pairs: readonly Membership[]): Fragment => {
  const listed = pairs.map(({ watchId, contactId }) => [hexOf(watchId), hexOf(contactId)]);
  return named(listed, { watch_id: "id", contact_id: "id" });
};
const isNamed = sqlOf("m.watch_id = named.watch_id AND m.contact_id = named.contact_id");

/** Finds which of the memberships exist. */
export const findMemberships = (pairs: readonly Membership[]): Statement => query("findMemberships")`
  SELECT m.watch_id, m.contact_id FROM ${pairsNamed(pairs)}
  STRAIGHT_JOIN ${table.memberships} m FORCE INDEX (PRIMARY) ON ${isNamed}`;

/** Lists the members among the contacts after one id, up to and including another. */
export function listMemberships(watchId: string, after: string | null, upTo: string | null): Statement {
  const from = after === null ? sqlOf("") : fragment` AND m.contact_id > ${uuid(after)}`;
  const to = upTo === null ? sqlOf("") : fragment` AND m.contact_id <= ${uuid(upTo)}`;
  return query("listMemberships")`
  SELECT m.contact_id FROM ${table.memberships} m FORCE INDEX (PRIMARY)
  WHERE m.watch_id = ${uuid(watchId)}${from}${to}`;
}

/** Leaves existing memberships as they are. The number of affected rows is that of the new memberships. */
export const insertMemberships = (pairs: readonly Membership[]): Statement => query("insertMemberships")`
  INSERT IGNORE INTO ${table.memberships} (watch_id, contact_id)
  SELECT named.watch_id, named.contact_id FROM ${pairsNamed(pairs)}`;

export const deleteMemberships = (pairs: readonly Membership[]): Statement => query("deleteMemberships")`
  DELETE m FROM ${pairsNamed(pairs)} STRAIGHT_JOIN ${table.memberships} m FORCE INDEX (PRIMARY) ON ${isNamed}`;

export const deleteMembers = (watchId: string, limit: number): Statement => query("deleteMembers")`
  DELETE FROM ${table.memberships} WHERE watch_id = ${uuid(watchId)} ORDER BY contact_id LIMIT ${integer(limit)}`;

export const deleteMembershipsOf = (contactId: string): Statement =>
  query("deleteMembershipsOf", { mayChangeNothing: true })`
  DELETE m FROM ${table.memberships} m FORCE INDEX (by_contact) WHERE m.contact_id = ${uuid(contactId)}`;
