import type { Period, PeriodWithStart } from "../model/types.ts";
import { timeStruct, wholeNumber } from "./fields.ts";
import { periodUnitsMax } from "../model/limits.ts";
import { formatTime } from "../model/times.ts";
import { spanOf, unitOf, type Ends, type Unit } from "../model/rules.ts";
import { choice, leftOut, optional, refined, shape, type Input } from "./shapes.ts";

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
  days: shape<{ days: number }>({ ...others, days: unitsStruct }),
  hours: shape<{ hours: number }>({ ...others, hours: unitsStruct }),
  minutes: shape<{ minutes: number }>({ ...others, minutes: unitsStruct }),
};

/** A period: one of the lengths, or the ends. */
function periodOf<Given extends Period>(ends: Input<Ends>): Input<Given> {
  const structs = [...Object.values(lengths), ends];
  return choice(structs, (fields) => lengths[unitOf(fields)!] ?? ends, lengths.days.coercer);
}

const noEnds = { message: "too_short", explanation: "Must have days, hours or minutes, or from or to." } as const;
const beforeFrom = { message: "out_of_range", explanation: "Must not be before from." } as const;

const endsStruct = refined(
  shape<Ends>({ from: optional(timeStruct), to: optional(timeStruct) }),
  (ends) => {
    const { from, to } = spanOf(ends as Period, 0);
    if (from === null && to === null) return [{ path: [], ...noEnds }];
    return from === null || to === null || from <= to ? [] : [{ path: ["to"], ...beforeFrom }];
  },
  { minProperties: 1 },
);

export const periodStruct: Input<Period> = periodOf(endsStruct);

/** The shapes of a period, one of which it has. */
export const periodShapes: readonly Input<object>[] = [
  ...Object.values(lengths),
  endsStruct,
] as readonly Input<object>[];

/** A period that has a beginning. */
export const periodWithStartStruct: Input<PeriodWithStart> = periodOf(
  refined(endsStruct, ({ from }) => (from === undefined ? [{ path: ["from"], message: "required" }] : []), {
    fields: { from: timeStruct, to: optional(timeStruct) },
  }),
);
