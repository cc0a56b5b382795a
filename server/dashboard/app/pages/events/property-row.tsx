import { useEffect, useRef } from "preact/hooks";
import { Choice, Field } from "../../kit/field.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import type { AttributeType } from "../../../../../lib/model/types.ts";
import { valueTypes } from "../attributes/form.tsx";
import { pathOf, type PropertyDraft } from "./type-draft.ts";

interface PropertyRowProps {
  property: PropertyDraft;
  error: unknown;
  onChange: (parts: Partial<PropertyDraft>) => void;
  onRemove: () => void;
}

/** One property of an event type. */
export function PropertyRow({ property, error, onChange, onRemove }: PropertyRowProps) {
  const row = useRef<HTMLFieldSetElement>(null);
  const { key, type, isOptional } = property;
  useEffect(() => {
    if (key === "") row.current!.querySelector("input")!.focus();
  }, [key]);
  return (
    <fieldset ref={row} class="row">
      <legend class="hidden">Property {key}</legend>
      <Field
        label="Property"
        path={pathOf(property)}
        error={error}
        value={key}
        onInput={(event) => onChange({ key: event.currentTarget.value })}
      />
      <Choice
        label="Type"
        path=""
        options={valueTypes}
        value={type}
        onChange={(event) => onChange({ type: event.currentTarget.value as AttributeType })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isOptional}
          onChange={(event) => onChange({ isOptional: event.currentTarget.checked })}
        />
        May be left out
      </label>
      <SmallButton action="Remove" of={`the property ${key}`} onClick={onRemove} />
    </fieldset>
  );
}
