import { Pick, ValueInput, type EditingOf } from "./inputs.tsx";
import { PeriodInputs } from "./period.tsx";
import type { Fields } from "./simple-drafts.ts";
import { operatorChoices, operatorOf, withOperator, type ComparedType } from "./subjects.ts";

interface TestProps<Draft> {
  rule: Draft;
  editing: EditingOf;
  /** The type of the value. */
  type: ComparedType;
  /** The types whose operators are offered. */
  offered?: readonly ComparedType[];
  onChange: (rule: Draft) => void;
}

/** The operator and the value of a rule about a field or an attribute, or of a condition on a property. */
export function TestInputs<Draft extends Fields>(props: TestProps<Draft>) {
  const { rule, editing, type, offered = [type], onChange } = props;
  const value = editing("value", "Value");
  return (
    <>
      <Pick
        {...editing("operator", "Operator")}
        value={operatorOf(rule)}
        onChange={(chosen) => onChange(withOperator(rule, chosen, type))}
        options={operatorChoices(rule, offered)}
      />
      <Operand operator={rule["operator"]} {...{ value, type }} />
    </>
  );
}

function Operand({ operator, value, type }: { operator: unknown; value: ReturnType<EditingOf>; type: ComparedType }) {
  const isNumber = type === "number";
  if (operator === "is_set") return null;
  if (operator === "within") return <PeriodInputs {...value} relations={["ago", "next"]} />;
  if (operator === "one_of") return <ValueInput form={isNumber ? "numbers" : "texts"} {...value} />;
  if (operator === "between") return <Between {...value} />;
  if (type === "boolean" && typeof value.value !== "string")
    return (
      <Pick
        {...value}
        onChange={(chosen) => value.onChange(chosen === "true")}
        options={{ true: "true", false: "false" }}
      />
    );
  return <ValueInput form={isNumber ? "number" : "text"} {...value} placeholder="Value" />;
}

function Between({ value, onChange, ...rest }: ReturnType<EditingOf>) {
  const [low = null, high = null] = value as readonly unknown[];
  return (
    <span class="line phrase">
      <ValueInput
        form="number"
        {...rest}
        label="From"
        value={low ?? undefined}
        onChange={(typed) => onChange([typed ?? null, high])}
      />
      and
      <ValueInput
        form="number"
        {...rest}
        label="To"
        value={high ?? undefined}
        onChange={(typed) => onChange([low, typed ?? null])}
      />
    </span>
  );
}
