import type { Client } from "../../../lib/client/index.ts";
import { at, type RouteName } from "../../../lib/http/routes/lines.ts";
import { includesAccess } from "../../../lib/model/declarations.ts";
import { apiPath as mountedApiPath } from "../agreed.ts";
import { createStore, type Store } from "./store.ts";

const { basePath: path = "", apiPath } = document.documentElement.dataset;

export const basePath: string = path;

/** Whether the server itself serves the page, which then asks for an API key. In an app, the host identifies the user. */
export const isStandalone: boolean = apiPath !== undefined;

export const apiUrl: URL = new URL(apiPath ?? basePath + mountedApiPath, location.origin);

/** The workspace of the page, and its API key. In an app the key is `null`. */
export type Own = Awaited<ReturnType<Client["apiKeys"]["own"]>>;

interface Session {
  /** `null` until the server has let the page in. */
  own: Own | null;
  /** Whether the server refuses the page: somebody must log in. */
  isOut: boolean;
  /** Counts how often the page was let in. Each time, all loaded values load again. */
  logins: number;
}

export const session: Store<Session> = createStore<Session>({ own: null, isOut: false, logins: 0 });

/** Shows the pages after the server has let the user in. */
export function letIn(own: Own): void {
  session.set({ own, isOut: false, logins: session.get().logins + 1 });
}

/** Whether the key has the access that the route needs. In an app there is no key, and every route is permitted. */
export function may(call: RouteName): boolean {
  return includesAccess(session.get().own?.apiKey?.access ?? "admin", at(call).access);
}
