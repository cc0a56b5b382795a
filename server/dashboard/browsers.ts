import { randomBytes } from "node:crypto";
import { isSigned, sign } from "./signatures.ts";

export const browserCookieName = "whodid_browser";
export const browserMaxAgeSeconds: number = 365 * 24 * 60 * 60;

/**
 * Recognizes browsers in which somebody has logged in, by signed random ids. An id grants no access. It only separates the login
 * tries of its browser from those of the network.
 */
export interface Browsers {
  /** A token for a new browser. */
  begin(): string;
  /** Whether the token was signed with the key. */
  knows(token: string): boolean;
}

export function createBrowsers(key: Uint8Array): Browsers {
  return {
    begin() {
      const id = randomBytes(16).toString("base64url");
      return `${id}.${sign(key, `browser ${id}`)}`;
    },
    knows(token) {
      const [, id = "", signature = ""] = /^([\w-]{22})\.([\w-]{43})$/.exec(token) ?? [];
      return isSigned(key, `browser ${id}`, signature);
    },
  };
}
