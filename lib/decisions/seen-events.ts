/** Decides which events rules still see: pure functions over rules and times. */
import { countedSpanOf, simpleRules } from "../model/rules.ts";
import { formatTime } from "../model/times.ts";
import type { Rule } from "../model/types.ts";
import type { AudienceRow, Refused } from "../storage/rows.ts";

/** The time since when events are kept, if one of the rules counts earlier events; `undefined` if none does. */
export function eventsKeptSince(rules: readonly Rule[], now: number, prunedBefore: number | null): string | undefined {
  const spans = rules.flatMap(simpleRules).map((rule) => countedSpanOf(rule, now));
  const isIncomplete = prunedBefore !== null && spans.some((span) => span !== null && span.from < prunedBefore);
  return isIncomplete ? formatTime(prunedBefore) : undefined;
}

/**
 * The refusal `definition_in_use` of a pruning, if rules of audiences count kept events from before the time `before`; `null` if
 * none does.
 */
export function refusalOfPruning(
  { before, prunedBefore, now }: { before: number; prunedBefore: number | null; now: number },
  audiences: readonly Pick<AudienceRow, "key" | "body">[],
): Refused | null {
  const users = audiences.flatMap(({ key, body }) => {
    const spans = simpleRules(body.rule).flatMap((rule) => countedSpanOf(rule, now) ?? []);
    const seen = spans.find(({ from, to }) => Math.max(from, prunedBefore ?? from) < Math.min(before, to ?? before));
    return seen ? [`"${key}" counts events ${words(seen)}`] : [];
  });
  if (users.length === 0) return null;
  const message = `Rules of audiences still see these events: ${users.join("; ")}.`;
  return { refused: { code: "definition_in_use", message } };
}

function words({ from, to }: { from: number; to: number | null }): string {
  return to === null ? `from ${formatTime(from)} on` : `from ${formatTime(from)} to ${formatTime(to)}`;
}
