import { foldEmail } from "../../../lib/model/emails.ts";
import type { ChecklistProgress } from "../../../lib/model/types.ts";
import { ownHeader, type Claims } from "../agreed.ts";

/** The event on `window` after a write of this page: what is shown may have changed. */
export const writeEvent = "whodid-write";

/** A token of the host, or a function that fetches a fresh one. */
export type Token = string | (() => string | Promise<string>);

/** The routes at one `src`, for one visitor: of the session, or of a token. */
export interface Door {
  readonly src: string;
  /** The newest token. It stays in memory: others could read a storage or a URL. */
  token: Token | undefined;
  /** Differs between visitors; `undefined` before the page knows one. */
  readonly visitor: string | undefined;
  /** The name of the visitor of a session in its writes. A token needs none. */
  readonly tag: string;
  /** Asks a function for its first token. Never rejects. */
  identify(): Promise<unknown>;
  /** Sends a request. After a 401 a function is asked once more, and a write goes to its own visitor alone. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** A request that takes longer has failed. */
const answeredWithinMs = 30_000;

const doors: Door[] = [];

/** The same door for each token of a visitor at a `src`, and for each use of one function. */
export function doorOf(given: string | null, token: Token | undefined): Door {
  const src = (given ?? "").replace(/\/+$/, "");
  const own = nameOf(token);
  const known = doors.find((door) => door.src === src && nameOf(door.token) === own);
  const door = known ?? createDoor(src, token);
  if (!known) doors.push(door);
  door.token = token;
  return door;
}

function createDoor(src: string, given: Token | undefined): Door {
  let held: Promise<string> | undefined;
  let visitor = typeof given === "string" ? nameOf(given) : undefined;
  let tag = "1";

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const before = visitor;
    const holding = hold();
    const used = await holding;
    const own = before ?? nameOf(used);
    const response = await send(path, init, used, own);
    if (response.status !== 401 || typeof door.token !== "function") return response;
    // Another request may have renewed it meanwhile.
    if (held === holding) held = undefined;
    const fresh = await hold().catch(() => undefined);
    return fresh === undefined ? response : send(path, init, fresh, own);
  }

  /** The token in use, which concurrent requests share. */
  function hold(): Promise<string | undefined> {
    const { token } = door;
    if (typeof token !== "function") return Promise.resolve(token);
    return (held ??= fetchToken(token));
  }

  async function fetchToken(fetchFresh: () => string | Promise<string>): Promise<string> {
    try {
      // Without the pause, an error at once would be forgotten before it is held.
      const fresh = await Promise.resolve().then(fetchFresh);
      visitor = nameOf(fresh);
      return fresh;
    } catch (error) {
      held = undefined;
      throw error;
    }
  }

  async function send(path: string, init: RequestInit, token: Token | undefined, own: unknown): Promise<Response> {
    const headers = new Headers(init.headers);
    if (door.token !== undefined) headers.set("Authorization", `Bearer ${String(token)}`);
    const isOther = typeof door.token === "function" && nameOf(token) !== own;
    if (isOther && init.method) throw new Error("another visitor's write");
    const response = await fetch(src + path, { ...init, headers, signal: AbortSignal.timeout(answeredWithinMs) });
    const answered = response.headers.get(ownHeader);
    if (answered && door.token === undefined) visitor = tag = answered;
    return response;
  }

  const door: Door = {
    src,
    token: given,
    get visitor() {
      return visitor;
    },
    get tag() {
      return tag;
    },
    identify: () => hold().catch(() => {}),
    ask,
  };
  return door;
}

/** The visitor of a token. A function, and a token that cannot be read, is its own name. */
function nameOf<Given extends Token | undefined>(token: Given): string | Given {
  if (typeof token !== "string") return token;
  try {
    const base64 = token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const { workspace = "default", sub } = JSON.parse(new TextDecoder().decode(bytes)) as Claims;
    return JSON.stringify([workspace, foldEmail(sub as string)]);
  } catch {
    return token;
  }
}

/** Whether the view can show this JSON. A proxy of the host may answer anything. */
export function isProgress(given: unknown): given is ChecklistProgress {
  const { checklistKey, progress, items, dismissedAt } = Object(given) as Partial<ChecklistProgress>;
  return (
    typeof checklistKey === "string" &&
    isNumber(progress?.completed) &&
    isNumber(progress?.total) &&
    (dismissedAt === null || typeof dismissedAt === "string") &&
    Array.isArray(items) &&
    items.every((item) => typeof (item as Partial<typeof item> | null)?.itemKey === "string")
  );
}

function isNumber(given: unknown): boolean {
  return typeof given === "number";
}
