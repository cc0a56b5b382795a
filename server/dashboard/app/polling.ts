import { useEffect, useState } from "preact/hooks";
import type { Methods } from "../../../lib/client/methods.ts";
import { unanswered, useLoaded, type Loaded } from "./loading.ts";
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
  const isSeen = useIsSeen();
  const { isOut } = useStore(session);
  const isAsking = isOn && isSeen && !isOut;
  const loaded = useLoaded((methods) => (isAsking ? load(methods) : unanswered()), [...keys, isAsking]);
  const { value, error, isLoading, reload } = loaded;
  useEffect(() => {
    if (!isAsking || isLoading) return;
    const timer = setTimeout(reload, pauseMs);
    return () => clearTimeout(timer);
    // An answer may come before a render has seen `isLoading`, so the answer itself starts the next pause too.
  }, [isAsking, isLoading, value, error, reload]);
  return { ...loaded, isLoading: value === undefined && error === undefined };
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
