import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useAction } from "../../loading.ts";
import { usePolled } from "../../polling.ts";
import type { Page, RecentEvent } from "../../../../../lib/model/types.ts";

/** The number of events in a page, which is loaded every few seconds. Nobody reads more of a moving list. */
const liveEvents = 50;

export interface LiveEvents {
  /** `undefined` until they are loaded. */
  items: readonly RecentEvent[] | undefined;
  /** The number of new events that are not shown yet. */
  waiting: number;
  showWaiting(): void;
  isPaused: boolean;
  pause(): void;
  /** Shows the newest events, and continues. */
  resume(): void;
  /** Loads older events, and pauses; `null` if there are none. */
  more: (() => void) | null;
  isLoading: boolean;
  error: unknown;
}

/** The newest events of all keys or of one key, as they come. New events wait while the top of the list is out of sight. */
export function useLiveEvents(eventKey: string, top: RefObject<HTMLElement | null>): LiveEvents {
  const [isPaused, setPaused] = useState(false);
  const [shown, setShown] = useState<Page<RecentEvent>>();
  const request = { eventKey: eventKey || undefined };
  const polled = usePolled(
    (methods) => methods.events.recent({ eventKey: eventKey || undefined, limit: liveEvents }),
    [eventKey],
    !isPaused,
  );
  useEffect(() => {
    // New rows at the top would move the rows that the user reads.
    const isInSight = (top.current?.getBoundingClientRect().top ?? 0) >= 0;
    if (polled.value) setShown((before) => (isInSight || !before ? polled.value : before));
  }, [polled.value, top]);
  const older = useAction(async (cursor: string, before: readonly RecentEvent[]) => {
    setPaused(true);
    const { items, nextCursor } = await api.events.recent({ ...request, cursor });
    setShown({ items: [...before, ...items], nextCursor });
  });
  const cursor = shown?.nextCursor ?? null;
  const ids = new Set(shown?.items.map(({ id }) => id));
  return {
    items: shown?.items,
    waiting: isPaused ? 0 : (polled.value?.items.filter(({ id }) => !ids.has(id)).length ?? 0),
    showWaiting: () => setShown(polled.value),
    isPaused,
    pause: () => setPaused(true),
    resume: () => {
      setPaused(false);
      setShown(polled.value);
    },
    more: shown && cursor !== null ? () => void older.run(cursor, shown.items) : null,
    isLoading: older.isRunning || (!shown && polled.error === undefined),
    error: older.error ?? (isPaused ? undefined : polled.error),
  };
}
