import type { ChecklistProgress } from "../../../lib/model/types.ts";
import { checklistsPath } from "../agreed.ts";
import { isProgress, writeEvent, type Door } from "./requests.ts";

const pauseMs = 10_000;

/** Takes the checklists; `null` after an error. Returns whether to ask again after a pause. */
export type Subscriber = (items: readonly ChecklistProgress[] | null) => boolean;

/** Asks for a visitor's checklists, once for all elements with one door. Ends when the last element unsubscribes. */
export interface Feed {
  subscribe(subscriber: Subscriber): void;
  unsubscribe(subscriber: Subscriber): void;
  /** Resolves when the answer to a new request is shown. */
  refresh(): Promise<void>;
  /** Refreshes after a write. An answer to an earlier request is older than the write, and not shown. */
  changed(): Promise<void>;
}

const feeds = new Map<Door, Feed>();

export function feedOf(door: Door): Feed {
  const feed = feeds.get(door) ?? createFeed(door);
  feeds.set(door, feed);
  return feed;
}

function createFeed(door: Door): Feed {
  const subscribers = new Set<Subscriber>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writes = 0;
  const ending = new AbortController();
  const { signal } = ending;

  function refresh(): Promise<void> {
    if (running) {
      return (next ??= running.then(() => {
        next = undefined;
        return refresh();
      }));
    }
    return (running = load().finally(() => (running = undefined)));
  }

  async function load(): Promise<void> {
    clearTimeout(timer);
    if (subscribers.size === 0) return;
    const before = writes;
    const items = await askChecklists(door);
    // If the answer is `undefined`, the page stays as it is. An answer from before a write is old, and another request follows.
    const wanted = items === undefined || writes !== before ? [] : [...subscribers].filter((show) => show(items));
    // Asks again also after a failed request, because the page may be offline.
    const isWanted = wanted.length > 0 || (items === undefined && !signal.aborted);
    if (isVisible() && isWanted) timer = setTimeout(refresh, pauseMs);
  }

  function changed(): Promise<void> {
    writes++;
    return refresh();
  }

  document.addEventListener("visibilitychange", () => (isVisible() ? void refresh() : clearTimeout(timer)), { signal });
  addEventListener(writeEvent, () => void changed(), { signal });
  return {
    subscribe(subscriber) {
      subscribers.add(subscriber);
      void refresh();
    },
    unsubscribe(subscriber) {
      subscribers.delete(subscriber);
      if (subscribers.size > 0) return;
      clearTimeout(timer);
      ending.abort();
      feeds.delete(door);
    },
    refresh,
    changed,
  };
}

/** The checklists. `null` if the visitor has none to see now; `undefined` if that is unknown, such as offline. */
async function askChecklists(door: Door): Promise<readonly ChecklistProgress[] | null | undefined> {
  try {
    const response = await door.ask(checklistsPath);
    if (!response.ok) return response.status < 500 && response.status !== 429 ? null : undefined;
    const { items } = (await response.json()) as { items: unknown[] };
    return items.every(isProgress) ? items : undefined;
  } catch (error) {
    // A page of the host, such as its log-in, is no JSON.
    return error instanceof SyntaxError ? null : undefined;
  }
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}
