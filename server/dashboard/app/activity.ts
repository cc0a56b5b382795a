import type { Activity } from "../../../lib/model/activity-types.ts";
import { useLoaded, type Loaded } from "./loading.ts";
import { createQueue } from "./queue.ts";

/** The numbers of days to choose from, with their words. Each day is a period, and a call has at most 100 of them. */
export const spans: Readonly<Record<number, string>> = { 7: "7 days", 30: "30 days", 90: "90 days" };

/** The number of days in the query of an address; `otherwise` if it is not one of the choices. */
export function daysIn({ days = "" }: Readonly<Record<string, string>>, choices: object, otherwise: number): number {
  return Object.hasOwn(choices, days) ? Number(days) : otherwise;
}

const dayMs = 86_400_000;

/** A count reads all events of its days: many at once would slow down each other, and all else. */
const inTurn = createQueue(2);

/** Counts each of the last days, in UTC, today included; with `ago` as many days, which ended that number of days ago. */
export function useActivity(days: number, eventKey?: string, ago = 0): Loaded<Activity> {
  return useLoaded(
    ({ activity }) => {
      const end = (Math.floor(Date.now() / dayMs) + 1 - ago) * dayMs;
      const [from, to] = [new Date(end - days * dayMs), new Date(end)];
      return inTurn(() => activity({ from, to, by: "day", eventKey, total: true }));
    },
    [days, eventKey ?? null, ago],
  );
}
