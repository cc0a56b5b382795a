import { useCallback, useEffect, useState } from "preact/hooks";
import type { Methods } from "../../../lib/client/methods.ts";
import { api } from "./api.ts";
import { session } from "./session.ts";
import { useStore } from "./store.ts";

const pauseMs = 5_000;

export interface Polled<Value> {
  /** `undefined` until it has come. Stays when a later try fails. */
  value: Value | undefined;
  /** The error of the last try, if it failed. Polling goes on. */
  error: unknown;
  /** Loads the value at once. */
  reload(): void;
}

/**
 * Loads a value every five seconds while it is on, the page is seen, and the server lets the person in. A changed key starts
 * again at once.
 */
export function usePolled<Value>(
  load: (methods: Methods) => Promise<Value>,
  keys: readonly (string | number | boolean | null)[],
  isOn: boolean,
): Polled<Value> {
  const [polled, setPolled] = useState<Omit<Polled<Value>, "reload">>({ value: undefined, error: undefined });
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
  return { ...polled, reload };
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
