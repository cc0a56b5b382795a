/** The watched audiences. */
import type { WatchRow } from "../../../lib/storage/watches.ts";
import { id, idOrNull, numberOrNull, text, type Row } from "./rows.ts";
import { integer, named, plain, sqlOf, uuid } from "./fragments.ts";
import { deleteBy, query, table, type ById, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

const columns = sqlOf("id, workspace, audience_key, clock, position, ready_at, swept_at, body");
const isReady = sqlOf("has_ended = 0 AND ready_at IS NOT NULL");
const clock = sqlOf(milliseconds);

export function toWatch(row: Row): WatchRow {
  return {
    id: id(row.id),
    workspace: text(row.workspace),
    audienceKey: text(row.audience_key),
    watched: JSON.parse(text(row.body)) as WatchRow["watched"],
    clock: Number(row.clock),
    position: idOrNull(row.position),
    readyAt: numberOrNull(row.ready_at),
    sweptAt: Number(row.swept_at),
  };
}

/** Lists the watches of the workspaces. */
export const listWatches = (workspaces: readonly string[]): Statement => query("listWatches")`
  SELECT ${columns} FROM ${named(workspaces, { named: "workspace" })}
  STRAIGHT_JOIN ${table.watches} FORCE INDEX (by_workspace) ON workspace = named.named AND has_ended = 0`;

/** Lists the workspaces with ready watches. `MAX` leaves out a NULL. */
export const listSweeps: Statement = query("listSweeps")`
  SELECT workspace, MIN(swept_at) AS swept_at, MAX(position) AS position FROM ${table.watches}
  WHERE ${isReady} GROUP BY workspace`;

export const insertWatch = ({ id: watchId, workspace, audienceKey, watched, clock: time }: WatchRow): Statement =>
  query("insertWatch")`
  INSERT INTO ${table.watches} (${columns}, has_ended) VALUES (
    ${uuid(watchId)}, ${workspace}, ${audienceKey}, ${integer(time)}, NULL, NULL, 0, ${plain(JSON.stringify(watched))}, 0)`;

export const changeWatch = ({ id: watchId, watched }: WatchRow): Statement => query("changeWatch")`
  UPDATE ${table.watches} SET body = ${plain(JSON.stringify(watched))} WHERE id = ${uuid(watchId)}`;

export const endWatch = (watchId: string): Statement => query("endWatch")`
  UPDATE ${table.watches} SET has_ended = 1 WHERE id = ${uuid(watchId)}`;

export const deleteWatch: ById = deleteBy("deleteWatch", "watches", "id");

/** Lists the watches that have ended, or that are in their first pass. */
export const listUnready: Statement = query("listUnready")`
  SELECT id, has_ended FROM ${table.watches} WHERE has_ended = 1 OR ready_at IS NULL ORDER BY id`;

/** Locks the watch, unless another transaction has locked it. */
export const lockWatch = (watchId: string): Statement => query("lockWatch")`
  SELECT ${columns}, has_ended FROM ${table.watches} WHERE id = ${uuid(watchId)} FOR UPDATE SKIP LOCKED`;

/** Stores the position that the first pass has reached. `null` ends the pass: the watch is ready. */
export const moveWatch = (watchId: string, time: number, position: string | null): Statement => query("moveWatch")`
  UPDATE ${table.watches} SET clock = ${integer(time)}, position = ${uuid(position)}
    ${sqlOf(position === null ? `, ready_at = ${milliseconds}` : "")} WHERE id = ${uuid(watchId)}`;

/** Moves the clocks of the workspace's ready watches on, and stores the time of this step of their sweep. */
export const tickWatches = (workspace: string, now: number): Statement =>
  query("tickWatches", { mayChangeNothing: true })`
  UPDATE ${table.watches} SET clock = GREATEST(clock, ${integer(now)}), swept_at = ${clock}
  WHERE workspace = ${workspace} AND ${isReady}`;

/** Stores the position of the sweep. */
export const moveSweep = (workspace: string, position: string | null): Statement =>
  query("moveSweep", { mayChangeNothing: true })`
  UPDATE ${table.watches} SET position = ${uuid(position)} WHERE workspace = ${workspace} AND ${isReady}`;

/** Matches only watches that had no step of a sweep for `pauseMs`. */
export const claimSweep = (workspace: string, pauseMs: number): Statement => query("claimSweep")`
  UPDATE ${table.watches} SET swept_at = ${clock}
  WHERE workspace = ${workspace} AND ${isReady} AND swept_at <= ${clock} - ${integer(pauseMs)}`;
