import { useEffect, useRef } from "preact/hooks";
import { CheckField, ChoiceField, Field, SmallButton } from "../../kit/index.ts";
import { valueTypes } from "../attributes/form.tsx";
import { pathOf, type PropertyDraft } from "./type-draft.ts";

const { date: _, ...propertyTypes } = valueTypes;

interface PropertyRowProps {
  property: PropertyDraft;
  error: unknown;
  onChange: (parts: Partial<PropertyDraft>) => void;
  onRemove: () => void;
}

/** One property of an event type. */
export function PropertyRow({ property, error, onChange, onRemove }: PropertyRowProps) {
  const row = useRef<HTMLFieldSetElement>(null);
  const { key } = property;
  const of = { draft: property, change: onChange, error, at: pathOf(property) };
  useEffect(() => {
    if (key === "") row.current!.querySelector("input")!.focus();
  }, [key]);
  return (
    <fieldset ref={row} class="framed row">
      <legend class="hidden">Property {key}</legend>
      <Field
        label="Property"
        path={pathOf(property)}
        error={error}
        value={key}
        onInput={(event) => onChange({ key: event.currentTarget.value })}
      />
      <ChoiceField of={of} path="type" label="Type" options={propertyTypes} />
      <CheckField of={of} path="isOptional" label="May be left out" />
      <SmallButton action="Remove" of={`the property ${key}`} onClick={onRemove} />
    </fieldset>
  );
}
