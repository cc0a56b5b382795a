/** The listeners for commits of this storage that wrote changes. */
export interface CommitListeners {
  /** Calls the listener after each commit that wrote changes of the workspace, until the returned function is called. */
  listen(workspace: string, listener: () => void): () => void;
  /** Must be called after a commit, with the workspaces of its changes. */
  notify(this: void, workspaces: ReadonlySet<string>): void;
}

export function createCommitListeners(): CommitListeners {
  const listeners = new Set<{ workspace: string; listener: () => void }>();
  return {
    listen(workspace, listener) {
      const entry = { workspace, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(workspaces) {
      if (workspaces.size === 0) return;
      for (const { workspace, listener } of listeners) if (workspaces.has(workspace)) queueMicrotask(listener);
    },
  };
}
