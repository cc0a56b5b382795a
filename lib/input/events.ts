import type { Struct } from "superstruct";
import { issue } from "../model/errors.ts";
import { eventsAheadMaxMs } from "../model/limits.ts";
import { parseTime } from "../model/times.ts";
import type { NewEvent } from "../model/types.ts";
import { timeStruct } from "./fields.ts";
import { check, leftOut, optional, refuse } from "./shapes.ts";

/** The time of an event, in both of its shapes. `timestamp` is its name in other products. */
export const timeFields: { createdAt: Struct<NewEvent["createdAt"], null>; timestamp: Struct<undefined, null> } = {
  createdAt: optional(timeStruct),
  timestamp: leftOut("unknown_field", "There is no such field. The time of an event is createdAt."),
};

/** The struct of an event of one shape, with or without an idempotency key. */
export type EventStruct<Event> = Struct<Event, null>;

/**
 * Validates and copies an event. `happenedAt` is its time, `null` if it has none. Throws `invalid_input`, also if the time is
 * more than `eventsAheadMaxMs` after `now`.
 */
export function parseEvent<Event extends Pick<NewEvent, "createdAt">>(
  input: unknown,
  struct: EventStruct<Event>,
  now: number,
): { event: Event; happenedAt: number | null } {
  const { value: event, issues } = check(input, struct);
  const given = (event as Partial<Event> | null)?.createdAt;
  if (given === undefined) {
    refuse(issues);
    return { event, happenedAt: null };
  }
  const isTime = !issues.some(({ path }) => path === "" || path === "createdAt");
  const happenedAt = isTime ? (parseTime(given) as number) : now;
  const isAhead = happenedAt > now + eventsAheadMaxMs;
  refuse(isAhead ? [...issues, tooFarAhead] : issues);
  return { event, happenedAt };
}

const tooFarAhead = issue(
  "createdAt",
  "out_of_range",
  `Must be at most ${eventsAheadMaxMs / 60_000} minutes ahead of the clock.`,
);
