import { Pick, ValueInput, type Editing } from "./inputs.tsx";
import type { Fields } from "./simple-drafts.ts";

const units = ["days", "hours", "minutes"] as const;
const forms = { days: "last … days", hours: "last … hours", minutes: "last … minutes", dates: "between dates" };

/**
 * The inputs of a period: the last days, hours or minutes, or from a date until before another, in UTC. With `isOptional` the
 * value can also be `undefined`, for no period.
 */
export function PeriodInputs({
  value,
  isOptional = false,
  onChange,
  ...rest
}: Editing<unknown> & { isOptional?: boolean }) {
  const period = (value ?? {}) as Fields;
  const unit = units.find((name) => name in period);
  const isEver = isOptional && value === undefined;
  const choose = (chosen: string): void => {
    if (chosen === "ever") onChange(undefined);
    else onChange(chosen === "dates" ? {} : { [chosen]: period[unit ?? ""] ?? 7 });
  };
  return (
    <span class="line phrase">
      <Pick
        {...rest}
        value={isEver ? "ever" : (unit ?? "dates")}
        onChange={choose}
        options={isOptional ? { ever: "ever", ...forms } : forms}
      />
      {isEver ? null : unit ? (
        <ValueInput
          form="number"
          {...rest}
          label={`Number of ${unit}`}
          value={period[unit]}
          onChange={(length) => onChange({ [unit]: length ?? "" })}
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
