/** The event on `window` after a write of this page: what is shown may have changed. */
export const writeEvent = "whodid-write";

/** The path of the mounted routes, without a slash at its end. */
export function srcOf(given: string | null): string {
  return (given ?? "").replace(/\/+$/, "");
}

/** A request that takes longer has failed. */
export const answeredWithinMs = 30_000;
