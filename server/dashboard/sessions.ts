import { createHmac, timingSafeEqual } from "node:crypto";

/** How long a session lasts. */
export const sessionMs: number = 12 * 60 * 60 * 1_000;

const cookieName = "whodid_session";

/**
 * Signs and checks sessions. Nothing is kept: a session holds in every process that has the same key, and after a restart.
 */
export interface Sessions {
  /** A token that holds for 12 hours from the given time, in ms since the Unix epoch. */
  begin(now: number): string;
  holds(token: string, now: number): boolean;
}

export function createSessions(key: Uint8Array): Sessions {
  const sign = (ends: string): string => createHmac("sha256", key).update(`session ${ends}`).digest("base64url");
  return {
    begin(now) {
      const ends = String(now + sessionMs);
      return `${ends}.${sign(ends)}`;
    },
    holds(token, now) {
      const [, ends = "", signature = ""] = /^(\d{1,16})\.([\w-]{43})$/.exec(token) ?? [];
      return signature !== "" && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(ends))) && Number(ends) > now;
    },
  };
}

/** The tokens in a `Cookie` header. There are several if another application of the host has set one of the same name. */
export function tokensIn(cookies: string): string[] {
  return cookies
    .split(/;\s*/)
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1));
}

/** The `Set-Cookie` of a session, or without a token the one that takes the session away. */
export function sessionCookie(path: string, isHttps: boolean, token?: string): string {
  const age = token === undefined ? 0 : sessionMs / 1_000;
  const attributes = [`Path=${path}`, `Max-Age=${age}`, "HttpOnly", "SameSite=Strict", ...(isHttps ? ["Secure"] : [])];
  return [`${cookieName}=${token ?? ""}`, ...attributes].join("; ");
}
