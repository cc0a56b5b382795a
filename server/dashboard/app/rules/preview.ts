import { useEffect, useState } from "preact/hooks";
import type { Contact, Rule } from "../../../../lib/types.ts";
import { useLoaded, type Loaded } from "../loading.ts";

const settleMs = 350;

/** The value once it has not changed for a moment; `null` until then. */
export function useSettled<Value>(value: Value): Value | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled === value ? value : null;
}

export interface Preview {
  count: number;
  members: readonly Contact[];
}

const membersShown = 5;

/** How many contacts a rule matches, and the first of them. The rule is JSON; `null` asks nothing. */
export function usePreview(rule: string | null): Loaded<Preview> {
  return useLoaded(
    async ({ audiences }) => {
      if (rule === null) return unanswered();
      const parsed = JSON.parse(rule) as Rule;
      const [count, { items }] = await Promise.all([
        audiences.count(parsed),
        audiences.members(parsed, { limit: membersShown }),
      ] as const);
      return { count, members: items };
    },
    [rule],
  );
}

/** Stands for a request that is not made: the answer before it stays. */
export function unanswered(): Promise<never> {
  return new Promise(() => {});
}
