import { useId } from "preact/hooks";
import type { PropertyType } from "../../../../lib/model/declarations.ts";
import { SmallButton, Suggestions } from "../kit/index.ts";
import { numberOf } from "../numbers.ts";
import { replaced } from "./draft.ts";
import { ValueInput, type EditingOf, type Workshop } from "./inputs.tsx";
import { PeriodInputs } from "./period.tsx";
import type { Fields, SimpleDraft } from "./simple-drafts.ts";
import { propertyTypeOf, type ComparedType } from "./subjects.ts";
import { TestInputs } from "./test-inputs.tsx";

export interface RuleProps {
  rule: SimpleDraft;
  editing: EditingOf;
  workshop: Workshop;
  onChange: (rule: SimpleDraft) => void;
}

/** The period of a rule that counts events, and the conditions on their properties. */
export function CountedInputs({ rule, editing, workshop, onChange }: RuleProps) {
  const { period, where, ...others } = rule as SimpleDraft & { where?: readonly Fields[] };
  const offeredId = useId();
  const type = workshop.catalogue.eventTypes.find(({ key }) => key === rule["eventKey"]);
  const properties = type?.properties ?? {};
  const withWhere = (conditions: readonly Fields[]): SimpleDraft => ({
    ...others,
    ...(period !== undefined && { period }),
    ...(conditions.length > 0 && { where: conditions }),
  });
  return (
    <>
      <PeriodInputs
        {...editing("period", "Period")}
        isOptional
        // Without a period there can be no conditions.
        onChange={(chosen) => onChange(chosen === undefined ? others : { ...rule, period: chosen })}
      />
      {where?.map((condition, index) => (
        <ConditionInputs
          key={index}
          {...{ condition, properties, offeredId }}
          name={String(index + 1)}
          editing={(field, label) => ({
            ...editing(`where.${index}.${field}`, label),
            value: condition[field],
            onChange: (value) => {
              const changed = fitting({ ...condition, [field]: value }, properties);
              onChange(withWhere(replaced(where, index, changed)));
            },
          })}
          onChange={(changed) => onChange(withWhere(replaced(where, index, changed)))}
        />
      ))}
      {period !== undefined && (
        <SmallButton
          action={where ? "and where" : "where"}
          onClick={() => onChange(withWhere([...(where ?? []), emptyCondition]))}
        />
      )}
      <Suggestions id={offeredId} of={Object.keys(properties)} />
    </>
  );
}

const emptyCondition: Fields = { property: "", operator: "equals", value: "" };
const anyTypes: readonly ComparedType[] = ["text", "number", "boolean"];

/** The condition, with its value converted to the type of its property or operator. */
function fitting(condition: Fields, properties: Readonly<Record<string, PropertyType>>): Fields {
  const { operator, value } = condition;
  if (typeof value !== "string" || operator === "is_set") return condition;
  const type = propertyTypeOf(condition, properties);
  if (type === "number") return { ...condition, value: value.trim() === "" ? undefined : numberOf(value) };
  return type === "boolean" && value === "" ? { ...condition, value: true } : condition;
}

interface ConditionProps {
  condition: Fields;
  name: string;
  properties: Readonly<Record<string, PropertyType>>;
  offeredId: string;
  editing: EditingOf;
  /** `null` removes the condition. */
  onChange: (condition: Fields | null) => void;
}

function ConditionInputs({ condition, name, properties, offeredId, editing, onChange }: ConditionProps) {
  const type = propertyTypeOf(condition, properties);
  const isDeclared = Object.hasOwn(properties, String(condition["property"]));
  return (
    <span class="line phrase" role="group" aria-label={`Condition ${name}`}>
      where
      <ValueInput form="text" {...editing("property", "Property")} suggestionsId={offeredId} placeholder="Property" />
      <TestInputs
        {...{ editing, type }}
        rule={condition}
        onChange={(changed) => onChange(fitting(changed, properties))}
        offered={isDeclared ? [type] : anyTypes}
      />
      <SmallButton action="Remove" of={`condition ${name}`} sign="✕" onClick={() => onChange(null)} />
    </span>
  );
}
