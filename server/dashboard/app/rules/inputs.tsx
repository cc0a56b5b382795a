import { useState } from "preact/hooks";
import { type Choices, Options } from "../kit/index.ts";
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
  /** Whether the server refuses the value, and the id of the element with its message. */
  aria: { "aria-invalid": boolean; "aria-describedby": string };
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

interface ValueInputProps extends Editing<unknown> {
  form: keyof typeof forms;
  placeholder?: string;
  suggestionsId?: string;
}

/** An input whose text is parsed into a value. Keeps the typed text while it parses to the current value. */
export function ValueInput({ form, label, value, aria, onChange, placeholder, suggestionsId }: ValueInputProps) {
  const { format, parse } = forms[form];
  const [typed, setTyped] = useState("");
  const attributes = {
    class: `input ${form}`,
    "aria-label": label,
    ...aria,
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
export function Pick({ label, value, aria, onChange, options }: Editing<string> & { options: Choices }) {
  return (
    <select
      class="input"
      aria-label={label}
      {...aria}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options of={Object.entries(options)} />
    </select>
  );
}
