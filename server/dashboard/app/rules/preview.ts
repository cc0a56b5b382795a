import { useEffect, useState } from "preact/hooks";
import { issue, TrackerError } from "../../../../lib/model/errors.ts";
import type { Contact, Rule } from "../../../../lib/model/types.ts";
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
      const parsed = bareRule(rule);
      const [count, { items }] = await Promise.all([
        audiences.count(parsed),
        audiences.members(parsed, { limit: membersShown }),
      ] as const);
      return { count, members: items };
    },
    [rule],
  );
}

/** The rule in a JSON text. Refuses a text value, which the methods would take for the key of an audience. */
export function bareRule(json: string): Rule {
  const rule: unknown = JSON.parse(json);
  if (typeof rule === "string") throw new TrackerError("invalid_input", { issues: [issue("rule", "wrong_type")] });
  return rule as Rule;
}

/** Never resolves. Takes the place of a request, so that the previous answer stays. */
export function unanswered(): Promise<never> {
  return new Promise(() => {});
}
