import { scrypt, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isTrackerError, TrackerError } from "../../lib/errors.ts";
import { refusal, toAnswer, type Answer } from "../../lib/http/answer.ts";
import { allow } from "../../lib/http/headers.ts";
import { readJson, type Call } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import { text } from "../../lib/input/fields.ts";
import { parse, shape } from "../../lib/input/shapes.ts";
import { clientOf } from "./addresses.ts";
import { createPasswordLine } from "./passwords.ts";
import type { Login } from "./responder.ts";
import { createSessions, sessionCookie, tokensIn, type Sessions } from "./sessions.ts";

export const passwordMinCharacters = 12;
export const passwordMaxBytes = 500;
/** Enough for the longest password, also where `JSON.stringify` escapes each of its characters. */
const bodyMaxBytes = 1_024;
/** Shorter than for other requests: everybody may send this body. */
const bodyMs = 5_000;
const credentials = shape<{ password: string }>("credentials", { password: text(passwordMaxBytes) });
const failureMs = 1_000;
const retryAfterSeconds = 5;

export interface LoginOptions {
  password: string;
  /** The path of the session's cookie. */
  basePath: string;
  now(): number;
}

/** Lets in whoever knows the password, for the time of a session. */
export function createLogin({ password, basePath, now }: LoginOptions): Login {
  let derived: Promise<Buffer> | null = null;
  // Not before somebody asks: it takes as long as the rest of the start.
  const keyOf = (): Promise<Buffer> => {
    derived ??= keyFrom(password).catch((error: unknown) => {
      derived = null;
      throw error;
    });
    return derived;
  };
  const sessionsOf = async (): Promise<Sessions> => createSessions(await keyOf());
  const tryPassword = createPasswordLine({
    isRight: async (tried) => timingSafeEqual(await keyFrom(tried), await keyOf()),
    pause: () => sleep(failureMs),
  });

  async function begin(call: Call, request: IncomingMessage): Promise<Answer> {
    const timer = setTimeout(() => request.destroy(), bodyMs);
    const body = await readJson(call, bodyMaxBytes).finally(() => clearTimeout(timer));
    const input = parse(body, credentials);
    if (!(await tryPassword(clientOf(request), input.password))) {
      throw new TrackerError("forbidden", { message: "The password is wrong." });
    }
    const token = (await sessionsOf()).begin(now());
    return toAnswer(ok, { success: true }, ["Set-Cookie", sessionCookie(basePath, isHttps(request), token)]);
  }

  return {
    async authorize(request) {
      const tokens = tokensIn((request as IncomingMessage).headers.cookie ?? "");
      if (tokens.length === 0) return false;
      const sessions = await sessionsOf();
      return tokens.some((token) => sessions.holds(token, now()));
    },
    async respond(call) {
      const request = call.incoming as IncomingMessage;
      try {
        if (call.method === "POST") return await begin(call, request);
      } catch (error) {
        if (!isTrackerError(error) || error.code !== "rate_limited") throw error;
        return refusal(error, ["Retry-After", String(retryAfterSeconds)]);
      }
      if (call.method !== "DELETE") return refusal(new TrackerError("method_not_allowed"), allow(["DELETE", "POST"]));
      return toAnswer(ok, { success: true }, ["Set-Cookie", sessionCookie(basePath, isHttps(request))]);
    },
  };
}

/** The key of the sessions. It is also what passwords are compared by. The same in every process, so the salt is too. */
function keyFrom(password: string): Promise<Buffer> {
  // 32 MiB, and about a tenth of a second.
  const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
  return new Promise((resolve, reject) => {
    // Browsers and terminals may write the same letters in different code points.
    scrypt(password.normalize("NFC"), "whodid dashboard", 32, cost, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Whether the browser reached the proxy over HTTPS. The server itself speaks HTTP alone. */
function isHttps({ headers }: IncomingMessage): boolean {
  return /^https\b/i.test(headers["x-forwarded-proto"]?.toString() ?? "");
}
