import { createClient, type Client } from "../../../lib/client/index.ts";
import { TrackerError } from "../../../lib/model/errors.ts";
import { statusOf } from "../../../lib/http/statuses.ts";
import { apiPath, ownHeader } from "../agreed.ts";
import { createStore, type Store } from "./store.ts";
import { basePath, isStandalone, session } from "./session.ts";

/** Whether a request is being sent again because the server did not answer. */
export const isRetrying: Store<boolean> = createStore(false);

/** The methods of the workspace, over the dashboard's own API. */
export const api: Client = createClient({
  url: new URL(basePath + apiPath, location.origin),
  // The server knows the caller by the session of the browser.
  key: null,
  // By default the server counts an audience for up to 30 s.
  timeoutMs: 35_000,
  fetch: send,
  onRetry: () => isRetrying.set(true),
});

async function send(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(ownHeader, "1");
  try {
    const response = await fetch(url, { ...init, headers });
    if (isUnauthorized(response)) session.set({ ...session.get(), isOut: true });
    return response;
  } finally {
    // `onRetry` sets it again at once if the client retries the request.
    isRetrying.set(false);
  }
}

/**
 * Whether the answer denies the user access. A host app may answer before the dashboard does: with 401, or with a redirect to its
 * login, which `fetch` does not follow here.
 */
function isUnauthorized({ status, type }: Response): boolean {
  const isOfApp = status === statusOf("missing_api_key") || type === "opaqueredirect";
  return status === statusOf("forbidden") || (!isStandalone && isOfApp);
}

/** Whether the request was given up because its page or its input changed. */
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
  if (error.code === "forbidden") return "You are not logged in, or may not use this dashboard any more.";
  if (error.code === "storage_unavailable") return "The server or its database does not answer.";
  return error.message;
}
