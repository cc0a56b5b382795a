/** The listeners for commits of this storage that wrote changes. */
export interface Watchers {
  /** Calls the listener after each commit that wrote changes of the workspace, until the returned function is called. */
  watch(workspace: string, listener: () => void): () => void;
  /** Must be called after a commit, with the workspaces of its changes. */
  notify(this: void, workspaces: ReadonlySet<string>): void;
}

export function createWatchers(): Watchers {
  const watchers = new Set<{ workspace: string; listener: () => void }>();
  return {
    watch(workspace, listener) {
      const watcher = { workspace, listener };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    notify(workspaces) {
      if (workspaces.size === 0) return;
      for (const { workspace, listener } of watchers) if (workspaces.has(workspace)) queueMicrotask(listener);
    },
  };
}
