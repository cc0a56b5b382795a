import { scrypt, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import { refusal, toAnswer, type Answer } from "../../lib/http/answer.ts";
import { allow } from "../../lib/http/headers.ts";
import { readJson, type Call } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import { text } from "../../lib/input/fields.ts";
import { parse, shape } from "../../lib/input/shapes.ts";
import { log } from "../log.ts";
import { isHttps, networksOf } from "./addresses.ts";
import { sessionPath } from "./agreed.ts";
import { browserCookieName, browserMaxAgeSeconds, createBrowsers } from "./browsers.ts";
import { setCookie, valuesIn } from "./cookies.ts";
import { createPasswordLine } from "./passwords.ts";
import type { Login } from "./responder.ts";
import { createSessions, sessionCookieName, sessionMs } from "./sessions.ts";

export const passwordMinCharacters = 12;
export const passwordMaxBytes = 500;
/** Enough for the longest password, also where `JSON.stringify` escapes each of its characters. */
const bodyMaxBytes = 1_024;
/** Shorter than for other requests: everybody may send this body. */
const bodyMs = 5_000;
const credentials = shape<{ password: string }>("credentials", { password: text(passwordMaxBytes) });
const failureMs = 1_000;
const retryAfterSeconds = 5;

export interface PasswordSettings {
  password: string;
  /** Random text that all servers of one database share. A session of one server is valid in all of them, and nowhere else. */
  salt: string;
  /** The number of proxies in front of the server; `null` if it is not set, which means 0. */
  trustedProxies: number | null;
}

export interface LoginOptions extends PasswordSettings {
  /** The path of the session's cookie. */
  basePath: string;
  now(): number;
}

/** Lets in whoever knows the password, for the time of a session. */
export function createLogin({ password, salt, trustedProxies, basePath, now }: LoginOptions): Login {
  const proxies = trustedProxies ?? 0;
  let derived: Promise<Buffer> | null = null;
  // Derived at the first use, because it takes as long as the rest of the start.
  const keyOf = (): Promise<Buffer> => {
    derived ??= keyFrom(password, salt).catch((error: unknown) => {
      derived = null;
      throw error;
    });
    return derived;
  };
  let isReported = false;
  const tryPassword = createPasswordLine({
    isRight: async (tried) => timingSafeEqual(await keyFrom(tried, salt), await keyOf()),
    pause: () => sleep(failureMs),
  });

  async function begin(call: Call, request: IncomingMessage): Promise<Answer> {
    const timer = setTimeout(() => request.destroy(), bodyMs);
    const body = await readJson(call, bodyMaxBytes).finally(() => clearTimeout(timer));
    const input = parse(body, credentials);
    reportForwarded(request);
    const browsers = createBrowsers(await keyOf());
    const known = valuesIn(request.headers.cookie ?? "", browserCookieName).find((token) => browsers.knows(token));
    const client = known === undefined ? networksOf(request, proxies) : { browser: known };
    if (!(await tryPassword(client, input.password))) {
      throw new TrackerError("forbidden", { message: "The password is wrong." });
    }
    const session = sessionCookie(request, createSessions(await keyOf()).begin(now()), sessionMs / 1_000);
    const browser = setCookie({
      name: browserCookieName,
      value: known ?? browsers.begin(),
      path: basePath + sessionPath,
      maxAgeSeconds: browserMaxAgeSeconds,
      isHttps: isHttps(request, proxies),
    });
    return toAnswer(ok, { success: true }, ["Set-Cookie", session, "Set-Cookie", browser]);
  }

  function sessionCookie(request: IncomingMessage, value: string, maxAgeSeconds: number): string {
    const https = isHttps(request, proxies);
    return setCookie({ name: sessionCookieName, value, path: basePath, maxAgeSeconds, isHttps: https });
  }

  function reportForwarded({ headers }: IncomingMessage): void {
    if (trustedProxies !== null || isReported || headers["x-forwarded-for"] === undefined) return;
    isReported = true;
    const message = "X-Forwarded-For is ignored: set TRUSTED_PROXIES to the number of proxies in front, or to 0.";
    log("warning", { message });
  }

  return {
    async authorize(request) {
      const tokens = valuesIn((request as IncomingMessage).headers.cookie ?? "", sessionCookieName);
      if (tokens.length === 0) return false;
      const sessions = createSessions(await keyOf());
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
      return toAnswer(ok, { success: true }, ["Set-Cookie", sessionCookie(request, "", 0)]);
    },
  };
}

/** Derives the key that signs sessions. Two passwords are equal if their keys are. */
function keyFrom(password: string, salt: string): Promise<Buffer> {
  // 32 MiB, and about a tenth of a second.
  const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
  return new Promise((resolve, reject) => {
    // Browsers and terminals may write the same letters in different code points.
    scrypt(password.normalize("NFC"), salt, 32, cost, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
