import { Pick, ValueInput, type Editing } from "./inputs.tsx";
import type { Fields } from "./simple-drafts.ts";

const units = ["days", "hours", "minutes"] as const;
const wordings = {
  last: (unit: string) => `last … ${unit}`,
  ago: (unit: string) => `more than … ${unit} ago`,
  next: (unit: string) => `in the next … ${unit}`,
};
type Relation = keyof typeof wordings;

interface Offered {
  /** Whether the value can be `undefined`, for no period. */
  isOptional?: boolean;
  /** The relations to now that the rule takes, beside `last`. */
  relations?: readonly Relation[];
}

/** The inputs of a period: a length before or after now, or from a date until before another, in UTC. */
export function PeriodInputs({
  value,
  isOptional = false,
  relations = [],
  onChange,
  ...rest
}: Editing<unknown> & Offered) {
  const period = (value ?? {}) as Fields;
  const relation = relations.find((name) => name in period) ?? "last";
  const length = (relation === "last" ? period : period[relation]) as Fields;
  const unit = units.find((name) => name in length);
  const isEver = isOptional && value === undefined;
  const change = (to: Relation, changed: Fields): void => onChange(to === "last" ? changed : { [to]: changed });
  const choose = (chosen: string): void => {
    const [to, name = ""] = chosen.split(" ") as [Relation, string?];
    if (chosen === "ever") onChange(undefined);
    else if (chosen === "dates") onChange({});
    else change(to, { [name]: length[unit ?? ""] ?? 7 });
  };
  return (
    <span class="line phrase">
      <Pick
        {...rest}
        value={isEver ? "ever" : unit ? `${relation} ${unit}` : "dates"}
        onChange={choose}
        options={{ ...(isOptional && { ever: "ever" }), ...formsOf(["last", ...relations]), dates: "between dates" }}
      />
      {isEver ? null : unit ? (
        <ValueInput
          form="number"
          {...rest}
          label={`Number of ${unit}`}
          value={length[unit]}
          onChange={(count) => change(relation, { [unit]: count ?? "" })}
        />
      ) : (
        <>
          <span class="line phrase">
            from <Moment {...rest} label="From (UTC)" {...end(period, "from", onChange)} />
          </span>
          <span class="line phrase">
            until before <Moment {...rest} label="Until before (UTC)" {...end(period, "to", onChange)} /> UTC
          </span>
        </>
      )}
    </span>
  );
}

function formsOf(relations: readonly Relation[]): Record<string, string> {
  return Object.fromEntries(
    relations.flatMap((relation) => units.map((unit) => [`${relation} ${unit}`, wordings[relation](unit)])),
  );
}

/** One end of the period. An empty end is omitted. */
function end(period: Fields, name: "from" | "to", onChange: (period: Fields) => void) {
  const { [name]: value, ...other } = period;
  return {
    value,
    onChange: (time: string | null) => {
      const ends: Fields = { ...other, ...(time !== null && { [name]: time }) };
      onChange({ ...("from" in ends && { from: ends["from"] }), ...("to" in ends && { to: ends["to"] }) });
    },
  };
}

/** An input for a day; for a day and a time if the value is not midnight in UTC. */
function Moment({ label, value, aria, onChange }: Editing<string | null>) {
  const [day = "", time = ""] = typeof value === "string" ? value.replace("Z", "").split("T") : [];
  const isDay = /^[0:.]*$/.test(time);
  return (
    <input
      class="input moment"
      type={isDay ? "date" : "datetime-local"}
      step={isDay ? undefined : "0.001"}
      aria-label={label}
      {...aria}
      value={isDay ? day : `${day}T${time}`}
      onInput={({ currentTarget: { value: typed } }) => {
        const at = new Date(`${typed}Z`.replace(/^([^T]*)Z$/, "$1T00:00:00Z"));
        onChange(Number.isNaN(at.getTime()) ? null : at.toISOString());
      }}
    />
  );
}
