import { Struct } from "superstruct";
import type { Period, PeriodWithStart } from "../model/types.ts";
import { timeStruct, wholeNumber } from "./fields.ts";
import { periodUnitsMax } from "../model/limits.ts";
import { formatTime } from "../model/times.ts";
import { spanOf, unitOf, type Ends, type Unit } from "../model/rules.ts";
import { failuresOf, leftOut, optional, shape } from "./shapes.ts";

/** Copies a valid period, with its times as texts. */
export function normalizePeriod<Given extends Period>(period: Given): Given {
  if (unitOf(period as Partial<Record<Unit, number>>)) return { ...period };
  const { from, to } = spanOf(period, 0);
  return { ...(from !== null && { from: formatTime(from) }), ...(to !== null && { to: formatTime(to) }) } as Given;
}

const unitsStruct = wholeNumber(1, periodUnitsMax);
const other = leftOut(
  "invalid_format",
  "Must be left out: a period has one of days, hours and minutes, or from and to.",
);
const others = { days: other, hours: other, minutes: other, from: other, to: other };
const lengths = {
  days: shape<{ days: number }>("Period", { ...others, days: unitsStruct }),
  hours: shape<{ hours: number }>("Period", { ...others, hours: unitsStruct }),
  minutes: shape<{ minutes: number }>("Period", { ...others, minutes: unitsStruct }),
};

const endsStruct = shape<Ends>("Period", { from: optional(timeStruct), to: optional(timeStruct) });

const noEnds = { message: "too_short", explanation: "Must have days, hours or minutes, or from or to." };
const beforeFrom = { message: "out_of_range", explanation: "Must not be before from." };

export const periodStruct: Struct<Period, null> = new Struct<Period, null>({
  type: "Period",
  schema: null,
  coercer: lengths.days.coercer,
  validator(value, context) {
    const unit = unitOf((value ?? {}) as Partial<Record<Unit, unknown>>);
    if (unit) return lengths[unit].validator(value, context);
    const failures = failuresOf(endsStruct, value, context);
    if (failures.length > 0) return failures;
    const { from, to } = spanOf(value as Period, 0);
    if (from === null && to === null) return noEnds;
    return from === null || to === null || from <= to || [{ path: ["to"], ...beforeFrom }];
  },
});

const noStart = [{ path: ["from"], message: "required" }];

/** A period that has a beginning. */
export const periodWithStartStruct: Struct<PeriodWithStart, null> = new Struct<PeriodWithStart, null>({
  type: "Period",
  schema: null,
  coercer: periodStruct.coercer,
  validator(value, context) {
    const failures = failuresOf(periodStruct, value, context);
    if (failures.length > 0) return failures;
    return spanOf(value as Period, 0).from === null ? noStart : [];
  },
});
