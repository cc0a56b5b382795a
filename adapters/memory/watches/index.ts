/** The first passes of watched audiences, and sweeps. */
import { createWatcher, lastPosition, moveFirst, positionAt } from "../../../lib/decisions/watches.ts";
import type { WatchStorage, WatchRow } from "../../../lib/storage/watches.ts";
import { dataOf, noticeEdit } from "./noticing.ts";
import { logChanges } from "../log.ts";
import type { Tables } from "../tables.ts";
import { assertNotClosed, makeTables, nameIn, type State, type View } from "../view.ts";

export { assertKnownRules, dataOf, noticeEdit } from "./noticing.ts";

const contactsPerStep = 1_000;

export function createWatches(state: State, view: View): WatchStorage {
  const isLocked = (workspace: string, contactId: string): boolean => state.holders.has(nameIn(workspace, contactId));
  const allWatches = (): WatchRow[] => [...state.workspaces.values()].flatMap(({ watches }) => watches);

  /** Evaluates the next contacts. Returns false if the first of them is locked. */
  function begin(watch: WatchRow, now: number): boolean {
    watch.clock = Math.max(watch.clock, now);
    const tables = makeTables(state, watch.workspace);
    const ids = idsAfter(tables, watch.position);
    const locked = ids.findIndex((id) => isLocked(watch.workspace, id));
    const reached = locked === -1 ? ids : ids.slice(0, locked);
    const { isMember, announce } = createWatcher(watch);
    for (const id of reached) {
      const record = tables.edit(id);
      if (!isMember(dataOf(tables, record))) continue;
      const { row, watches } = record;
      watches.add(watch.id);
      logChanges(tables, {}, () => announce(row, now));
    }
    const last = reached.at(-1);
    if (last !== undefined) watch.position = positionAt(last);
    if (ids.length < contactsPerStep && locked === -1) {
      watch.position = null;
      watch.readyAt = Date.now();
    }
    return locked !== 0;
  }

  return {
    async listWatches(workspace) {
      assertNotClosed(state);
      return structuredClone(makeTables(state, workspace).watches);
    },
    async listSweeps() {
      assertNotClosed(state);
      return [...state.workspaces].flatMap(([workspace, { watches }]) => {
        const ready = watches.filter(isReady);
        const sweptAt = Math.min(...ready.map((watch) => watch.sweptAt));
        return ready.length > 0 ? [{ workspace, sweptAt, position: lastPosition(ready) }] : [];
      });
    },
    async beginWatches(now) {
      assertNotClosed(state);
      const unready = allWatches().filter(({ readyAt }) => readyAt === null);
      return moveFirst(unready, async (watch) => begin(watch, now));
    },
    async claimSweep(workspace, pauseMs) {
      assertNotClosed(state);
      const ready = makeTables(state, workspace).watches.filter(isReady);
      const now = Date.now();
      if (ready.every(({ sweptAt }) => sweptAt > now - pauseMs)) return false;
      for (const watch of ready) watch.sweptAt = now;
      return true;
    },
    async sweep(workspace, now) {
      assertNotClosed(state);
      const tables = view.tables(workspace);
      const ready = tables.watches.filter(isReady);
      for (const watch of ready) {
        watch.clock = Math.max(watch.clock, now);
        watch.sweptAt = Date.now();
      }
      const watchers = ready.map(createWatcher);
      for (const watcher of watchers) watcher.condition();
      const ids = idsAfter(tables, lastPosition(ready));
      for (const id of ids.filter((contactId) => !isLocked(workspace, contactId))) {
        const record = tables.edit(id);
        const data = dataOf(tables, record);
        const { watches } = record;
        if (watchers.every((watcher) => watcher.isMember(data) === watches.has(watcher.watch.id))) continue;
        noticeEdit(tables, {}, () => ({ names: null, before: null, after: data, at: now }));
      }
      const more = ids.length === contactsPerStep;
      for (const watch of ready) watch.position = more ? positionAt(ids.at(-1)!) : null;
      return more;
    },
  };
}

function isReady({ readyAt }: WatchRow): boolean {
  return readyAt !== null;
}

/** The ids of the next contacts, in order. */
function idsAfter({ contacts }: Tables, after: string | null): string[] {
  return Array.from(contacts.values(), ({ row }) => row.id)
    .filter((id) => after === null || id > after)
    .sort()
    .slice(0, contactsPerStep);
}
