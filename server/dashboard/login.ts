import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import { errorAnswer, toAnswer, type Answer } from "../../lib/http/answer.ts";
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
import { createPasswordQueue } from "./password-queue.ts";
import { deriveKey } from "./passwords.ts";
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
    derived ??= deriveKey(password, salt).catch((error: unknown) => {
      derived = null;
      throw error;
    });
    return derived;
  };
  let isReported = false;
  const tryPassword = createPasswordQueue({
    isRight: async (tried) => timingSafeEqual(await deriveKey(tried, salt), await keyOf()),
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
        return errorAnswer(error, ["Retry-After", String(retryAfterSeconds)]);
      }
      if (call.method !== "DELETE")
        return errorAnswer(new TrackerError("method_not_allowed"), allow(["DELETE", "POST"]));
      return toAnswer(ok, { success: true }, ["Set-Cookie", sessionCookie(request, "", 0)]);
    },
  };
}
