/**
 * A shortcut: the hashes of the keys in Authorization headers, by the exact header, so that a busy key is hashed once a second and
 * not for each request. Hashing took a twelfth of the processor time of an event on memory. The storage is still asked about the hash
 * each time, so nothing here says whether a key is valid, or what it may do.
 */
import { setTimeout } from "node:timers";
import { headersRememberedMs, rememberedHeadersMax } from "./limits.ts";

const hashes = new Map<string, string>();

export function rememberedHash(authorization: string): string | undefined {
  return hashes.get(authorization);
}

/** For a header with a valid key alone, so that a flood of others takes no memory. */
export function rememberHash(authorization: string, hash: string): void {
  if (hashes.size >= rememberedHeadersMax) return;
  // By a timer, because a clear key must not stay in the memory of a process that is asked nothing any more.
  if (hashes.size === 0) setTimeout(() => hashes.clear(), headersRememberedMs).unref();
  hashes.set(authorization, hash);
}

/** For a header whose key is no longer valid. */
export function forgetHash(authorization: string): void {
  hashes.delete(authorization);
}
