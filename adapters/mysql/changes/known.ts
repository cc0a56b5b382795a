import { createWatcher, type Watcher } from "../../../lib/decisions/watches.ts";
import type { Silenceable, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { createCache, readMarks, type OwnRunner, type Work } from "../transactions/index.ts";
import { listSubscriptions } from "../definitions/index.ts";
import { subscriptionsCachedMs, subscriptionsImpatienceMs, subscriptionsWaitMs } from "../limits.ts";
import { subscriptionStatements, toWatch, watchStatements } from "../sql/index.ts";

/** The subscriptions, the watches and the mark of each workspace. */
export type Subscriptions = ReadonlyMap<string, Known>;

export interface Known {
  rows: readonly SubscriptionRow[];
  /** The watches, whose clocks may be old by now. `null` if they were not read. */
  watchers: readonly Watcher[] | null;
  /** Whether the workspace is marked as deleted. */
  isDeleted: boolean;
  /** The database's clock when the mark was read. */
  clock: number;
}

/** A write, and whether it causes changes. */
export type Write = { workspace: string } & Silenceable;

/** Finds the subscriptions for some writes. `null` if they must be read `inside` the caller's transaction. */
export type FindSubscriptions = (writes: readonly Write[], inside?: Work) => Promise<Subscriptions | null>;

export type WasEverUsed = () => Promise<boolean>;

/** The subscriptions as they were at most `subscriptionsCachedMs` before a call, read on a connection of this storage. */
export interface KnownSubscriptions {
  find(this: void, writes: readonly Write[]): Promise<Subscriptions>;
  /**
   * Resolves with `null` if no connection was free for some time. Callers whose transactions hold all connections of a pool would
   * otherwise wait for each other.
   */
  findInside: FindSubscriptions;
  /** Whether a subscription was ever defined. `true` also if no connection was free. */
  wasEverUsed: WasEverUsed;
  /** Must be called after a write of the workspace's definitions. */
  forget(workspace: string): void;
}

export function createKnownSubscriptions(runner: OwnRunner): KnownSubscriptions {
  let isUsed = false;
  /** The time of `performance.now()` until which `ifFree` does not wait, because an earlier call waited in vain. */
  let impatientUntil = -Infinity;
  const cache = createCache<Known>(subscriptionsCachedMs / 1_000, (workspaces) =>
    runner.read(async (work) => {
      const lists = await listSubscriptions(work, workspaces);
      const { deleted, clock } = await readMarks(work, workspaces);
      const found = new Map<string, Known & { watchers: Watcher[] }>();
      for (const [workspace, rows] of lists)
        found.set(workspace, { rows, watchers: [], isDeleted: deleted.has(workspace), clock });
      const watched = workspaces.filter((name) => lists.get(name)!.some(({ body }) => body.on.audiences));
      const watches = watched.length > 0 ? await work.rows(watchStatements.listWatches(watched)) : [];
      // There is an entry for each workspace.
      for (const watch of watches.map(toWatch)) found.get(watch.workspace)!.watchers.push(createWatcher(watch));
      return found;
    }),
  );

  async function find(writes: readonly Write[]): Promise<Subscriptions> {
    const workspaces = workspacesOf(writes);
    const found = await Promise.all(workspaces.map((workspace) => cache.get(workspace)));
    // The load finds a list for every workspace.
    return new Map(workspaces.map((workspace, index) => [workspace, found[index]!]));
  }

  /** Resolves with `null` if no connection is free for some time, or if the read fails. */
  async function ifFree<Result>(read: () => Promise<Result>): Promise<Result | null> {
    const waitMs = performance.now() < impatientUntil ? 0 : subscriptionsWaitMs;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => (timer = setTimeout(resolve, waitMs, null)));
    const result = await Promise.race([read().catch(() => null), patience]);
    clearTimeout(timer);
    if (result === null && waitMs > 0) impatientUntil = performance.now() + subscriptionsImpatienceMs;
    return result;
  }

  return {
    find,
    findInside: (writes) => ifFree(() => find(writes)),
    async wasEverUsed() {
      if (isUsed) return true;
      const heads = await ifFree(() => runner.read((work) => work.rows(subscriptionStatements.findEnd)));
      isUsed = heads !== null && heads.length > 0;
      return isUsed || heads === null;
    },
    forget: (workspace) => cache.forget(workspace),
  };
}

/** The times of the database's clock at which the marks of deleted workspaces were read. */
export function clocksOf(subscriptions: Subscriptions): readonly number[] {
  return Array.from(subscriptions.values(), ({ clock }) => clock);
}

/** The workspaces of the writes, also of silent writes: they cause no changes, but can change the members of an audience. */
export function workspacesOf(writes: readonly Write[]): string[] {
  return [...new Set(writes.map(({ workspace }) => workspace))];
}
