import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<Value>({ get, subscribe }: Store<Value>): Value {
  const [value, setValue] = useState(get);
  useEffect(() => {
    const follow = (): void => setValue(get);
    follow();
    return subscribe(follow);
  }, [get, subscribe]);
  return value;
}
