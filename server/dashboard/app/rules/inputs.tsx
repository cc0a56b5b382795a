import { useState } from "preact/hooks";
import { Options } from "../kit/options.tsx";
import { numberOf } from "../numbers.ts";
import type { Issue } from "../../../../lib/model/errors.ts";
import type { Scalar } from "../../../../lib/model/types.ts";
import type { Catalogue } from "./subjects.ts";

/** Data that all rows of a builder share. */
export interface Workshop {
  catalogue: Catalogue;
  /** The server's issues with the rule. */
  issues: readonly Issue[];
  eventKeysId: string;
}

export interface Editing<Value> {
  label: string;
  value: unknown;
  /** Whether the server refuses the value. `describedBy` is the id of the element with its message. */
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (value: Value) => void;
}

/** Returns the properties of the input for one field of a rule. */
export type EditingOf = (field: string, label: string) => Editing<unknown>;

interface Form {
  format: (value: unknown) => string;
  parse: (text: string) => unknown;
}

const texts: Form = { format: (value) => `${(value as Scalar | null | undefined) ?? ""}`, parse: (text) => text };
const numbers: Form = {
  ...texts,
  parse: (text) => (text.trim() === "" ? undefined : numberOf(text)),
};

function lines({ format, parse }: Form): Form {
  return {
    format: (value) => (Array.isArray(value) ? value.map(format).join("\n") : ""),
    parse: (text) => text.split("\n").flatMap((line) => (line === "" ? [] : [parse(line)])),
  };
}

const forms = { text: texts, number: numbers, texts: lines(texts), numbers: lines(numbers) };

/** An input whose text is parsed into a value. Keeps the typed text while it parses to the current value. */
export function ValueInput({
  form,
  label,
  value,
  invalid,
  describedBy,
  onChange,
  placeholder,
  suggestionsId,
}: Editing<unknown> & { form: keyof typeof forms; placeholder?: string; suggestionsId?: string }) {
  const { format, parse } = forms[form];
  const [typed, setTyped] = useState("");
  const attributes = {
    class: `input ${form}`,
    "aria-label": label,
    "aria-invalid": invalid,
    "aria-describedby": describedBy,
    spellcheck: false,
    value: JSON.stringify(parse(typed)) === JSON.stringify(value) ? typed : format(value),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setTyped(currentTarget.value);
      onChange(parse(currentTarget.value));
    },
  };
  if (form === "texts" || form === "numbers")
    return <textarea {...attributes} rows={3} placeholder="One value a line" />;
  return (
    <input
      {...attributes}
      inputMode={form === "number" ? "decimal" : "text"}
      autocomplete="off"
      placeholder={placeholder}
      list={suggestionsId}
    />
  );
}

/** A choice among values, each shown by its words. */
export function Pick({
  label,
  value,
  invalid,
  describedBy,
  onChange,
  options,
}: Editing<string> & { options: Readonly<Record<string, string>> }) {
  return (
    <select
      class="input"
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options of={Object.entries(options)} />
    </select>
  );
}
