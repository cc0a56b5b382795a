import { useEffect, useState } from "preact/hooks";
import { issue, TrackerError } from "../../../../lib/model/errors.ts";
import type { Contact, Rule } from "../../../../lib/model/types.ts";
import { unanswered, useLoaded, useLoadedPages, type Loaded, type LoadedPages } from "../loading.ts";

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
  /** The contacts that match, page by page. */
  members: LoadedPages<Contact>;
  /** The number of all contacts that match, which can take longer. */
  count: Loaded<number>;
}

/** The lengths of the first page, which is loaded as one types, and of the others. */
const limits = { first: 5, next: 50 };

/** The contacts that a rule matches, and their number. The rule is JSON; with `null` there is no request. */
export function usePreview(rule: string | null): Preview {
  const members = useLoadedPages(
    async ({ audiences }, cursor) => {
      const limit = cursor === undefined ? limits.first : limits.next;
      return rule === null ? unanswered() : audiences.members(bareRule(rule), { limit, cursor });
    },
    [rule],
  );
  const count = useLoaded(
    async ({ audiences }) => (rule === null ? unanswered() : audiences.count(bareRule(rule))),
    [rule],
  );
  return { members, count };
}

/** The rule in a JSON text. Refuses a text value, which the methods would take for the key of an audience. */
export function bareRule(json: string): Rule {
  const rule: unknown = JSON.parse(json);
  if (typeof rule === "string") throw new TrackerError("invalid_input", { issues: [issue("rule", "wrong_type")] });
  return rule as Rule;
}
