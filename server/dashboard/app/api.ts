import { createClient, type Client, type ClientOptions } from "../../../lib/client/index.ts";
import { isTrackerError, TrackerError } from "../../../lib/model/errors.ts";
import { statusOf } from "../../../lib/http/statuses.ts";
import { ownHeader } from "../agreed.ts";
import { endIfIdle, tabKey, refuseKey } from "./key.ts";
import { createStore, type Store } from "./store.ts";
import { apiUrl, isStandalone, session } from "./session.ts";

/** Why a request waits to be sent again; empty if no request waits. */
export const delay: Store<string> = createStore("");

/** The key's requests a minute, from the last answer with status 429; `null` before the first. */
let limit: string | null = null;

const options: Omit<ClientOptions, "key"> = {
  url: apiUrl,
  // Longer than the 30 s for which the server, by default, counts an audience.
  timeoutMs: 35_000,
  // Longer than the minute after which a used up limit begins again.
  maxWaitMs: 90_000,
  onRetry: ({ error, delayMs }) =>
    delay.set(
      isTrackerError(error) && error.code === "rate_limited"
        ? `The key's limit${limit === null ? "" : ` of ${limit} a minute`} is used up. Going on in ${Math.ceil(delayMs / 1_000)} s.`
        : "The server does not answer. Trying again…",
    ),
};

/** The methods of the workspace. They send the key of the tab, or in an app the session of the host. */
export const api: Client = createClient({ ...options, key: null, fetch: send });

/** The methods with another key, to try it before the tab uses it. */
export function clientWith(key: string): Client {
  return createClient({ ...options, key, fetch: (url, init) => ask(url, init, key) });
}

async function send(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (endIfIdle()) throw new DOMException("The page loads anew.", "AbortError");
  const headers = new Headers(init.headers);
  const key = tabKey();
  if (!isStandalone) headers.set(ownHeader, "1");
  else if (key !== null) headers.set("authorization", `Bearer ${key}`);
  const response = await ask(url, { ...init, headers }, key);
  if (isRefusedByHost(response)) session.set({ ...session.get(), isOut: true });
  return response;
}

async function ask(url: string | URL | Request, init: RequestInit | undefined, key: string | null): Promise<Response> {
  try {
    const response = await fetch(url, {
      ...init,
      // Otherwise the browser writes answers to its disk.
      cache: "no-store",
      credentials: isStandalone ? "omit" : "same-origin",
    });
    if (response.status === statusOf("rate_limited")) limit = response.headers.get("x-ratelimit-limit");
    return isStandalone && response.status === statusOf("invalid_api_key") ? await refused(response, key) : response;
  } finally {
    // `onRetry` sets the text again at once if the client retries the request.
    delay.set("");
  }
}

/** Handles status 401. Forgets the key only if the API sent the answer: a proxy may refuse requests without checking the key. */
async function refused(response: Response, key: string | null): Promise<Response> {
  const told = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: string } } | null;
  if (["missing_api_key", "invalid_api_key"].includes(told?.error?.code ?? "")) {
    refuseKey(key);
    return response;
  }
  const message = "Something in front of the server refused the request, with status 401.";
  return Response.json({ success: false, error: { code: "internal", message } }, { status: response.status });
}

/** Whether the host app refused the user: by 401, by 403, or by a redirect to its log-in, which `fetch` does not follow here. */
function isRefusedByHost({ status, type }: Response): boolean {
  if (isStandalone) return false;
  return [statusOf("missing_api_key"), statusOf("forbidden")].includes(status) || type === "opaqueredirect";
}

/** Whether the request was aborted because its page or its input changed. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The problems that the server found in one field of an input. */
export function issuesAt(error: unknown, path: string): string[] {
  return issuesOf(error).flatMap((issue) => (issue.path === path ? issue.message : []));
}

/** The problems of a refused input. */
export function issuesOf(error: unknown): TrackerError["issues"] {
  return error instanceof TrackerError ? error.issues : [];
}

/** Describes the error in one sentence. */
export function messageOf(error: unknown): string {
  if (!(error instanceof TrackerError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "forbidden" && !isStandalone) return "You may not use this dashboard any more.";
  if (error.code === "storage_unavailable") return "The server or its database does not answer.";
  return error.message;
}
