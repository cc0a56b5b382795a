/** Counts events and contacts in the days or weeks of a time zone. */
import { parse, refuse } from "./input/shapes.ts";
import { activityRequestStruct } from "./input/events.ts";
import type { Activity, ActivityPeriod } from "./model/activity-types.ts";
import { startsOfDays } from "./model/calendar.ts";
import { issue } from "./model/errors.ts";
import { activityPeriodsMax } from "./model/limits.ts";
import { formatTime, parseTime } from "./model/times.ts";
import type { Scope } from "./scope.ts";
import type { ActivityCounts, Span } from "./storage/rows.ts";

export async function countActivity({ storage, workspace, now }: Scope, input: unknown): Promise<Activity> {
  const { from, to, by, eventKey = null, timeZone = "UTC", total = false } = parse(input, activityRequestStruct);
  // The struct accepts only times.
  const [start, end] = [parseTime(from) as number, parseTime(to) as number];
  if (start >= end) refuse([issue("to", "out_of_range", "Must be later than from.")]);
  const bounds = startsOfDays(timeZone, by === "day" ? 1 : 7, { from: start, to: end, max: activityPeriodsMax });
  const periods = bounds
    .slice(1)
    .map((bound, index) => ({ from: bounds[index]!, to: bound }))
    .filter((period) => period.from < period.to)
    .reverse();
  if (periods.length > activityPeriodsMax)
    refuse([issue("to", "out_of_range", `Must be at most ${activityPeriodsMax} periods after from.`)]);
  const whole = { from: bounds[0]!, to: bounds.at(-1)! };
  const spans = total ? [...periods, whole] : periods;
  const counts = await storage.countActivity(workspace, eventKey, spans, now());
  // Read last, because a pruning stores it before it removes events.
  const keptSince = (await storage.findPrunedBefore(workspace)) ?? -Infinity;
  // There are at most as many counts as spans.
  const shown = counts.map((counted, index) => show(spans[index]!, counted, keptSince));
  return {
    periods: shown.slice(0, periods.length),
    ...(whole.from < keptSince && { eventsKeptSince: formatTime(keptSince) }),
    ...(shown.length < periods.length && { countedSince: shown.at(-1)!.from }),
    ...(shown.length > periods.length && { total: shown.at(-1)! }),
  };
}

function show(
  { from, to }: Span,
  { events, contacts, newContacts }: ActivityCounts,
  keptSince: number,
): ActivityPeriod {
  const ofEvents = from < keptSince ? { events: null, contacts: null } : { events, contacts };
  return { from: formatTime(from), to: formatTime(to), ...ofEvents, newContacts };
}
