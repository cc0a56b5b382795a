/** The part of the storage port about API keys and their rate limit, and its rows. */
import type { Access } from "../model/declarations.ts";
import type { Refused } from "./results.ts";

/** The methods for API keys. */
export interface ApiKeyStorage {
  /** Resolves with `false`, and changes nothing, if any workspace has a key with this hash. */
  insertApiKey(row: ApiKeyRow): Promise<boolean>;

  /** Finds a key of any workspace by its hash; `null` if there is none. */
  findApiKey(hash: string): Promise<ApiKeyOwner | null>;

  /** The API keys of the workspace, in order of `createdAt`, then id. */
  listApiKeys(workspace: string): Promise<ApiKeyRow[]>;

  /**
   * Resolves with `false` if the workspace has no such key. With `adminKeyAt`, refuses with `last_admin_key` to delete the only
   * admin key of the workspace that is valid at this time, or the only one that never expires (`refusalOfRevocation`).
   * Simultaneous calls of this kind see each other's deletions.
   */
  deleteApiKey(workspace: string, id: string, options?: { adminKeyAt: number }): Promise<boolean | Refused>;

  /**
   * Takes up to `n` requests out of an API key's window, and resolves with the number that was taken before: `limit` if none
   * was left. All calls together never take more than `limit`, even if they run at once. If `limit` is above 1,000, a process
   * can take a thousandth of it in advance; these requests count as taken.
   * Also stores the minute of the key's use; if `n` is 0, only that. A later window starts at zero.
   * If a process with a fast clock has begun the next window, a call takes out of that window and resolves with its start. So
   * the count is exact around a window's end, and no request is given back. A window that begins later than the end of the
   * given one was begun by a wrong clock, and is forgotten.
   */
  consume(apiKeyId: string, limit: number, window: RateWindow, n: number): Promise<WindowUse>;
}

/** A stored API key: its hash, never the key itself. */
export interface ApiKeyRow {
  workspace: string;
  id: string;
  name: string;
  prefix: string;
  /** SHA-256 of the key, 64 hexadecimal digits. */
  hash: string;
  access: Access;
  /** The number of requests allowed in each minute of the clock; `null` if the common limit applies. */
  requestsPerMinute: number | null;
  /** When the key expires; `null` for never. The storage also finds expired keys. */
  expiresAt: number | null;
  createdAt: number;
  /** The minute of the last use: a multiple of 60,000. `null` before the first. */
  lastUsedAt: number | null;
}

/** The owner of an API key, and its access. */
export type ApiKeyOwner = Pick<ApiKeyRow, "id" | "workspace" | "access" | "requestsPerMinute" | "expiresAt">;

/** A window of the rate limit, and the current time, which is in it. Each window begins where the previous one ends. */
export interface RateWindow {
  startsAt: number;
  endsAt: number;
  now: number;
}

/** The result of `consume`. */
export interface WindowUse {
  /** The number of requests that were taken before; the limit if none was left. */
  takenBefore: number;
  /** The start of the window that the requests were taken out of. */
  startsAt: number;
}
