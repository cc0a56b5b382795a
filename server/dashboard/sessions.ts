import { isSigned, sign } from "./signatures.ts";

/** How long a session lasts. */
export const sessionMs: number = 12 * 60 * 60 * 1_000;

export const sessionCookieName = "whodid_session";

/**
 * Signs and checks sessions. Stores nothing: a session is valid in every process that has the same key, and after a restart.
 */
export interface Sessions {
  /** A token that is valid for 12 hours from the given time, in ms since the Unix epoch. */
  begin(now: number): string;
  holds(token: string, now: number): boolean;
}

export function createSessions(key: Uint8Array): Sessions {
  return {
    begin(now) {
      const ends = String(now + sessionMs);
      return `${ends}.${sign(key, `session ${ends}`)}`;
    },
    holds(token, now) {
      const [, ends = "", signature = ""] = /^(\d{1,16})\.([\w-]{43})$/.exec(token) ?? [];
      return isSigned(key, `session ${ends}`, signature) && Number(ends) > now;
    },
  };
}
