import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Methods } from "../../../lib/client/methods.ts";
import type { Kept, Page } from "../../../lib/model/types.ts";
import { api, isAborted } from "./api.ts";
import { session } from "./session.ts";
import { useStore } from "./store.ts";

export interface Loaded<Value> {
  /** `undefined` until it is loaded. Stays while it is loaded again. */
  value: Value | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}

/**
 * Loads a value. Loads it again when one of the keys changes, after a login, and by `reload`. Requests for earlier keys are aborted:
 * those of `methods` by themselves, others if they use `signal`.
 */
export function useLoaded<Value>(
  load: (methods: Methods, signal: AbortSignal) => Promise<Value>,
  keys: readonly (string | number | boolean | null)[],
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  const { logins } = useStore(session);
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(api.withSignal(abort.signal), abort.signal).then(
      (value) => !abort.signal.aborted && setState({ value, isLoading: false }),
      (error: unknown) =>
        !isAborted(error) && !abort.signal.aborted && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => abort.abort();
    // The keys may contain more than `load` uses, to load the value again after other changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [...keys, round, logins]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload };
}

/** Never resolves. Takes the place of a request, so that the previous answer stays. */
export function unanswered(): Promise<never> {
  return new Promise(() => {});
}

export interface LoadedPages<Item> extends Loaded<Item[]> {
  /** Loads the next page; `null` if there is none. */
  more: (() => void) | null;
  eventsKeptSince: string | undefined;
}

const searchMs = 5_000;

/** Reads on over pages that are short or empty although others follow, until there are `enough` items or 5 s are over. */
export async function readOn<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  begun: string | undefined,
  enough: number,
): Promise<Page<Item>> {
  const end = Date.now() + searchMs;
  const items: Item[] = [];
  for (let cursor = begun; ;) {
    const page = await load(cursor);
    items.push(...page.items);
    if (page.nextCursor === null || items.length >= enough || Date.now() > end)
      return { items, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
}

/** Loads a list page by page. Loading it again begins at the first page. */
export function useLoadedPages<Item>(
  load: (methods: Methods, cursor: string | undefined) => Promise<Page<Item> & Kept>,
  keys: readonly (string | number | boolean | null)[],
): LoadedPages<Item> {
  const first = useLoaded((methods) => load(methods, undefined), keys);
  const [rest, setRest] = useState<{ after: Page<Item>; pages: Page<Item>[] } | null>(null);
  const { run, error, isRunning } = useAction(async (after: Page<Item>, pages: Page<Item>[], cursor: string) => {
    const page = await load(api, cursor);
    setRest({ after, pages: [...pages, page] });
  });
  const head = first.value;
  // Drops the further pages if the first page has changed, because they continue the old list.
  const pages = head && rest?.after === head ? rest.pages : [];
  const cursor = (pages.at(-1) ?? head)?.nextCursor ?? null;
  return {
    ...first,
    error: first.error ?? error,
    isLoading: first.isLoading || isRunning,
    value: head && [head, ...pages].flatMap(({ items }) => items),
    eventsKeptSince: head?.eventsKeptSince,
    more: head && cursor !== null ? () => void run(head, pages, cursor) : null,
  };
}

export interface Action<Arguments extends unknown[]> {
  /** Resolves with whether the action succeeded. Does nothing while the action runs. An aborted run leaves no error. */
  run(...args: Arguments): Promise<boolean>;
  isRunning: boolean;
  /** The error of the last run. */
  error: unknown;
}

/** An action of the user that may fail. Keeps the error, so that the page can show it beside the action. */
export function useAction<Arguments extends unknown[]>(
  act: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [{ isRunning, error }, setState] = useState<{ isRunning: boolean; error: unknown }>({
    isRunning: false,
    error: undefined,
  });
  // A ref, because a second click may come before the new state is rendered.
  const running = useRef(false);
  const run = async (...args: Arguments): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setState({ isRunning: true, error: undefined });
    try {
      await act(...args);
      setState({ isRunning: false, error: undefined });
      return true;
    } catch (thrown) {
      setState({ isRunning: false, error: isAborted(thrown) ? undefined : thrown });
      return false;
    } finally {
      running.current = false;
    }
  };
  return { run, isRunning, error };
}
