import { periodUnitsMax } from "../model/limits.ts";
import { endsOf, unitOf, type Ends, type Length } from "../model/periods.ts";
import { formatTime } from "../model/times.ts";
import type { Period, PeriodOfTime, PeriodWithStart, PlainPeriod } from "../model/types.ts";
import { timeStruct, wholeNumber } from "./fields.ts";
import { choice, leftOut, optional, refined, shape, type Input } from "./shapes.ts";

/** Copies a valid period, with its times as texts. */
export function normalizePeriod<Given extends PeriodOfTime>(period: Given): Given {
  const { from, to } = endsOf(period as Ends);
  return {
    ...period,
    ...(from !== null && { from: formatTime(from) }),
    ...(to !== null && { to: formatTime(to) }),
  };
}

const unitsStruct = wholeNumber(1, periodUnitsMax);
const other = leftOut(
  "invalid_format",
  "Must be left out: a period has one of days, hours, minutes, next and ago, or from and to.",
);
const others = { days: other, hours: other, minutes: other, from: other, to: other, next: other, ago: other };
const lengths = {
  days: shape<{ days: number }>({ ...others, days: unitsStruct }),
  hours: shape<{ hours: number }>({ ...others, hours: unitsStruct }),
  minutes: shape<{ minutes: number }>({ ...others, minutes: unitsStruct }),
};

const noUnit = { message: "too_short", explanation: "Must have days, hours or minutes." } as const;
const noLength = refined(shape<object>({}), () => [{ path: [], ...noUnit }]);

/** A length of time. */
export const lengthStruct: Input<Length> = choice(
  Object.values(lengths),
  (fields) => lengths[unitOf(fields)!] ?? noLength,
  lengths.days.coercer,
);

const ago = { ago: shape<{ ago: Length }>({ ...others, ago: lengthStruct }) };
const agoOrNext = { ...ago, next: shape<{ next: Length }>({ ...others, next: lengthStruct }) };
const copied = shape<object>({ ...others, ago: lengthStruct, next: lengthStruct });

/** A period: one of the lengths, the ends, or one of the others. */
function periodOf<Given extends PeriodOfTime>(ends: Input<Ends>, more: Partial<typeof agoOrNext> = {}): Input<Given> {
  const structs = [...Object.values(lengths), ends, ...Object.values(more)];
  const names = Object.keys(more) as (keyof typeof more)[];
  return choice(
    structs,
    (fields) => lengths[unitOf(fields)!] ?? more[names.find((name) => fields[name] !== undefined)!] ?? ends,
    copied.coercer,
  );
}

const noEnds = { message: "too_short", explanation: "Must have days, hours or minutes, or from or to." } as const;
const beforeFrom = { message: "out_of_range", explanation: "Must not be before from." } as const;

const endsStruct = refined(
  shape<Ends>({ from: optional(timeStruct), to: optional(timeStruct) }),
  (ends) => {
    const { from, to } = endsOf(ends);
    if (from === null && to === null) return [{ path: [], ...noEnds }];
    return from === null || to === null || from <= to ? [] : [{ path: ["to"], ...beforeFrom }];
  },
  { minProperties: 1 },
);

export const plainPeriodStruct: Input<PlainPeriod> = periodOf(endsStruct);

export const periodStruct: Input<Period> = periodOf(endsStruct, ago);

export const periodOfTimeStruct: Input<PeriodOfTime> = periodOf(endsStruct, agoOrNext);

/** The shapes of a plain period, one of which it has. */
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
