/**
 * The part of the storage port that lists and deletes workspaces. The storage contract has a test for every sentence.
 *
 * - A deletion marks the workspace, removes its rows in steps, and removes the mark last. A marked workspace stays marked until then,
 *   whatever is interrupted.
 * - In a marked workspace `upsertContacts`, `updateContact`, `recordEvents`, `putDefinition` and `deleteDefinition` refuse with
 *   `workspace_deleted`; `insertCompletion`, `putDismissal`, `insertApiKey` and `markPruned` reject with it. `findApiKey` finds none of
 *   its keys. Reads and deletions of single rows go on. Other processes follow these rules some seconds after the mark at the latest.
 * - Once the mark is removed, the name is that of a new workspace.
 */
export interface WorkspaceStorage {
  /**
   * The workspaces that have contacts, definitions, API keys or a time of `markPruned`, and those that are marked, in order of the
   * names' bytes.
   */
  listWorkspaces(): Promise<WorkspaceRow[]>;

  /**
   * Marks the workspace, which need not have any rows. A second call changes nothing. Resolves with the milliseconds after which
   * every process refuses new writes because of the mark.
   */
  markDeleted(workspace: string, at: number): Promise<{ settleMs: number }>;

  /**
   * Removes the next contacts of a marked workspace with everything about them, some hundreds of rows at most, in order of contact
   * id. Starts after the id `after`, or at the first contact if it is `null`. `next` is the `after` of the next step.
   * With `settled` it also removes, after the last contact, everything else of the workspace and then the mark, and resolves with
   * `done`. It waits for open transactions that wrote contacts of the workspace. After 5 s it rejects with `storage_unavailable`.
   */
  removeRows(workspace: string, request: { after: string | null; settled: boolean }): Promise<RemovedRows>;
}

/** A workspace, and when it was marked; `null` if it is not marked. */
export interface WorkspaceRow {
  name: string;
  deletedAt: number | null;
}

/** The number of rows that one step removed. `next` is `null` if there are no more contacts. */
export interface RemovedRows {
  contacts: number;
  events: number;
  definitions: number;
  apiKeys: number;
  next: string | null;
  done: boolean;
}
