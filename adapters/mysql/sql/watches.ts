/** The watched audiences. */
import type { WatchRow } from "../../../lib/storage/watches.ts";
import { id, idOrNull, numberOrNull, text, type Row } from "./rows.ts";
import { deleteBy, hexOf, type ById, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

const columns = "id, workspace, audience_key, clock, position, ready_at, swept_at, body";

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
export const listWatches =
  (workspaces: readonly string[]): Statement =>
  ({ watches }) => ({
    name: "listWatches",
    sql: `SELECT ${columns}
FROM (SELECT CAST(w AS BINARY) AS named FROM JSON_TABLE(?, '$[*]' COLUMNS (w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$')) listed) named
STRAIGHT_JOIN ${watches} FORCE INDEX (by_workspace) ON workspace = named.named AND has_ended = 0`,
    values: [JSON.stringify(workspaces)],
  });

/** Lists the workspaces with ready watches. `MAX` leaves out a NULL. */
export const listSweeps: Statement = ({ watches }) => ({
  name: "listSweeps",
  sql: `SELECT workspace, MIN(swept_at) AS swept_at, MAX(position) AS position FROM ${watches} WHERE has_ended = 0 AND ready_at IS NOT NULL GROUP BY workspace`,
  values: [],
});

export const insertWatch =
  ({ id: watchId, workspace, audienceKey, watched, clock }: WatchRow): Statement =>
  ({ watches }) => ({
    name: "insertWatch",
    sql: `INSERT INTO ${watches} (${columns}, has_ended)
VALUES (UNHEX(?), CAST(? AS BINARY), CAST(? AS BINARY), ?, NULL, NULL, 0, ?, 0)`,
    values: [hexOf(watchId), workspace, audienceKey, String(clock), JSON.stringify(watched)],
  });

export const changeWatch =
  ({ id: watchId, watched }: WatchRow): Statement =>
  ({ watches }) => ({
    name: "changeWatch",
    sql: `UPDATE ${watches} SET body = ? WHERE id = UNHEX(?)`,
    values: [JSON.stringify(watched), hexOf(watchId)],
  });

export const endWatch =
  (watchId: string): Statement =>
  ({ watches }) => ({
    name: "endWatch",
    sql: `UPDATE ${watches} SET has_ended = 1 WHERE id = UNHEX(?)`,
    values: [hexOf(watchId)],
  });

export const deleteWatch: ById = deleteBy("deleteWatch", "watches", "id");

/** Lists the watches that have ended, or that are in their first pass. */
export const listUnready: Statement = ({ watches }) => ({
  name: "listUnready",
  sql: `SELECT id, has_ended FROM ${watches} WHERE has_ended = 1 OR ready_at IS NULL ORDER BY id`,
  values: [],
});

/** Locks the watch, unless another transaction has locked it. */
export const lockWatch =
  (watchId: string): Statement =>
  ({ watches }) => ({
    name: "lockWatch",
    sql: `SELECT ${columns}, has_ended FROM ${watches} WHERE id = UNHEX(?) FOR UPDATE SKIP LOCKED`,
    values: [hexOf(watchId)],
  });

/** Stores the position that the first pass has reached. `null` ends the pass: the watch is ready. */
export const moveWatch =
  (watchId: string, clock: number, position: string | null): Statement =>
  ({ watches }) => ({
    name: "moveWatch",
    sql: `UPDATE ${watches} SET clock = ?, position = UNHEX(?)${position === null ? `, ready_at = ${milliseconds}` : ""} WHERE id = UNHEX(?)`,
    values: [String(clock), position && hexOf(position), hexOf(watchId)],
  });

/** Moves the clocks of the workspace's ready watches on, and stores the time of this step of their sweep. */
export const tickWatches =
  (workspace: string, now: number): Statement =>
  ({ watches }) => ({
    name: "tickWatches",
    sql: `UPDATE ${watches} SET clock = GREATEST(clock, ?), swept_at = ${milliseconds}
WHERE workspace = CAST(? AS BINARY) AND has_ended = 0 AND ready_at IS NOT NULL`,
    values: [String(now), workspace],
    mayChangeNothing: true,
  });

/** Stores the position of the sweep. */
export const moveSweep =
  (workspace: string, position: string | null): Statement =>
  ({ watches }) => ({
    name: "moveSweep",
    sql: `UPDATE ${watches} SET position = UNHEX(?) WHERE workspace = CAST(? AS BINARY) AND has_ended = 0 AND ready_at IS NOT NULL`,
    values: [position && hexOf(position), workspace],
    mayChangeNothing: true,
  });

/** Matches only watches that had no step of a sweep for `pauseMs`. */
export const claimSweep =
  (workspace: string, pauseMs: number): Statement =>
  ({ watches }) => ({
    name: "claimSweep",
    sql: `UPDATE ${watches} SET swept_at = ${milliseconds}
WHERE workspace = CAST(? AS BINARY) AND has_ended = 0 AND ready_at IS NOT NULL AND swept_at <= ${milliseconds} - ?`,
    values: [workspace, String(pauseMs)],
  });
