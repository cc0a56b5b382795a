import { useCallback, useEffect, useState } from "preact/hooks";
import type { Methods } from "../../../lib/client/methods.ts";
import { api } from "./api.ts";
import type { Loaded } from "./loading.ts";
import { session } from "./session.ts";
import { useStore } from "./store.ts";

const pauseMs = 5_000;

/** If a later try fails, the value stays, and polling continues. `isLoading` is true only during the first try. */
export type Polled<Value> = Loaded<Value>;

/**
 * Loads a value every five seconds while `isOn` is true, the page is visible, and the server lets the user in. Loads the value at
 * once when one of the keys changes.
 */
export function usePolled<Value>(
  load: (methods: Methods) => Promise<Value>,
  keys: readonly (string | number | boolean | null)[],
  isOn: boolean,
): Polled<Value> {
  const [polled, setPolled] = useState<{ value?: Value; error?: unknown }>({});
  const [round, setRound] = useState(0);
  const isSeen = useIsSeen();
  const { isOut } = useStore(session);
  useEffect(() => {
    if (!isOn || !isSeen || isOut) return;
    const abort = new AbortController();
    const methods = api.withSignal(abort.signal);
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (): Promise<void> => {
      const answer = await load(methods).then(
        (value) => ({ value, error: undefined }),
        (error: unknown) => ({ error }),
      );
      if (abort.signal.aborted) return;
      setPolled((before) => ({ ...before, ...answer }));
      timer = setTimeout(() => void ask(), pauseMs);
    };
    void ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
    // The linter checks the keys where the hook is called.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [...keys, round, isOn, isSeen, isOut]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const { value, error } = polled;
  return { value, error, isLoading: value === undefined && error === undefined, reload };
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const follow = (): void => setSeen(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  return isSeen;
}
