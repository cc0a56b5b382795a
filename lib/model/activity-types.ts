import type { KeyOf } from "./typed.ts";
import type { Definitions, Kept } from "./types.ts";

/** The methods about all contacts and events of a workspace. */
export interface Overviews<Defined extends Definitions> {
  /**
   * Counts the events, the contacts with an event, and the new contacts of each day or week. On MySQL the counts of a period that has
   * ended may be up to 60 s old. `invalid_input`.
   * @example const { periods } = await tracker.activity({ from: "2026-11-01T00:00:00Z", to: new Date(), by: "day" });
   */
  activity(request: ActivityRequest<KeyOf<"events", Defined>>): Promise<Activity>;
}

/** The input of `activity`. */
export interface ActivityRequest<EventKey extends string = string> {
  /** A time in the oldest period: a `Date`, or an ISO 8601 date-time with a zone. The period is counted as a whole. */
  from: string | Date;
  /** Later than `from`. The newest period has the moment before this time, and is counted as a whole too. */
  to: string | Date;
  /** The periods: calendar days, or weeks that begin on Monday. At most 100. */
  by: "day" | "week";
  /** Counts the events of this key alone. New contacts are counted whatever they did. */
  eventKey?: EventKey | undefined;
  /**
   * The zone of the calendar: a name of the IANA database, such as `Europe/Berlin`; `UTC` by default. A day begins at midnight or, where
   * the clock leaves midnight out, at its first moment. A day that the zone left out is not listed.
   */
  timeZone?: string | undefined;
  /** Whether to count all periods together too, each contact once; `false` by default. */
  total?: boolean | undefined;
}

/** The result of `activity`. `eventsKeptSince` is set if a period begins before. */
export interface Activity extends Kept {
  /** Newest first. */
  periods: ActivityPeriod[];
  /** The beginning of the oldest period that was counted. Set if the time limit ended the call; called again, it goes on. */
  countedSince?: string | undefined;
  /** All periods together. Left out unless it was asked for, and if the time limit ended the call. */
  total?: ActivityPeriod | undefined;
}

/** The counts from `from` until just before `to`. */
export interface ActivityPeriod {
  from: string;
  to: string;
  /** The events whose `createdAt` lies in the period, without those of deleted contacts; `null` if it begins before events are kept. */
  events: number | null;
  /** The contacts that have such an event, each once; `null` like `events`. */
  contacts: number | null;
  /** The contacts whose `createdAt` lies in the period and that were not deleted since. */
  newContacts: number;
}
