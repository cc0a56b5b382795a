import { optional, Struct } from "superstruct";
import type { Period } from "./behaviour-types.ts";
import { time, wholeNumber } from "./fields.ts";
import { periodUnitsMax } from "./limits.ts";
import { formatTime, parseTime } from "./times.ts";
import { failuresOf, leaf, shape } from "./validation.ts";

const unitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
type Unit = keyof typeof unitMs;
const unitNames = Object.keys(unitMs) as Unit[];

interface Ends {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}

/** The moments of a period: from `from` on, until just before `to`; `null` where it has no end. */
export function spanOf(period: Period, now: number): { from: number | null; to: number | null } {
  const lengths = period as Partial<Record<Unit, number>>;
  const unit = unitOf(lengths);
  // Times are whole milliseconds: what is at most `now` is before the next one.
  if (unit) return { from: now - lengths[unit]! * unitMs[unit], to: now + 1 };
  const { from, to } = period as Ends;
  return { from: momentOf(from), to: momentOf(to) };
}

/** A copy of a valid period, its times as texts. */
export function normalizePeriod(period: Period): Period {
  if (unitOf(period as Partial<Record<Unit, number>>)) return { ...period };
  const { from, to } = spanOf(period, 0);
  return { ...(from !== null && { from: formatTime(from) }), ...(to !== null && { to: formatTime(to) }) } as Period;
}

function unitOf(period: Partial<Record<Unit, unknown>>): Unit | undefined {
  return unitNames.find((name) => period[name] !== undefined);
}

function momentOf(moment: string | Date | undefined): number | null {
  return moment === undefined ? null : (parseTime(moment) as number);
}

const units = wholeNumber(1, periodUnitsMax);
const lengths = {
  days: shape<{ days: number }>("Period", { days: units }),
  hours: shape<{ hours: number }>("Period", { hours: units }),
  minutes: shape<{ minutes: number }>("Period", { minutes: units }),
};
const anything = leaf<unknown>("anything", () => null);
const copied = shape<Record<Unit | "from" | "to", unknown>>("Period", {
  days: anything,
  hours: anything,
  minutes: anything,
  from: anything,
  to: anything,
});
const ends = shape<Ends>("Period", { from: optional(time), to: optional(time) });

const noEnds = { message: "too_short", explanation: "Must have days, hours or minutes, or from or to." };
const beforeFrom = { message: "out_of_range", explanation: "Must not be before from." };

export const period: Struct<Period, null> = new Struct<Period, null>({
  type: "Period",
  schema: null,
  coercer: copied.coercer,
  validator(value, context) {
    const unit = unitOf((value ?? {}) as Partial<Record<Unit, unknown>>);
    if (unit) return lengths[unit].validator(value, context);
    const failures = failuresOf(ends, value, context);
    if (failures.length > 0) return failures;
    const { from, to } = spanOf(value as Period, 0);
    if (from === null && to === null) return noEnds;
    return from === null || to === null || from <= to || [{ path: ["to"], ...beforeFrom }];
  },
});
