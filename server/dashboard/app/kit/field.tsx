import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from "preact";
import { useId } from "preact/hooks";
import { issuesAt } from "../api.ts";

interface FieldOptions {
  label: string;
  /** The path of the field in the input, by which the server's issues name it. */
  path: string;
  /** The error of the form's last try. */
  error?: unknown;
  /** Another reason for not saving the value. */
  problem?: ComponentChildren;
  hint?: ComponentChildren;
}

/** A label, an input, and what the server says about its value. */
export function Field({ label, path, error, problem, hint, ...input }: FieldOptions & InputHTMLAttributes) {
  return (
    <Labelled {...{ label, path, error, problem, hint }}>
      {(described) => <input class="input" {...input} {...described} />}
    </Labelled>
  );
}

/** The same for a text of several lines. */
export function Area({ label, path, error, problem, hint, ...area }: FieldOptions & TextareaHTMLAttributes) {
  return (
    <Labelled {...{ label, path, error, problem, hint }}>
      {(described) => <textarea class="input" {...area} {...described} />}
    </Labelled>
  );
}

/** The same with a choice of given values. */
export function Choice({
  label,
  path,
  error,
  problem,
  hint,
  options,
  ...select
}: FieldOptions & SelectHTMLAttributes & { options: Readonly<Record<string, string>> }) {
  return (
    <Labelled {...{ label, path, error, problem, hint }}>
      {(described) => (
        <select class="input" {...select} {...described}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Labelled({
  label,
  path,
  error,
  problem,
  hint,
  children,
}: FieldOptions & { children: (described: Record<string, string | boolean>) => ComponentChildren }) {
  const id = useId();
  const issues = issuesAt(error, path);
  const isWrong = issues.length > 0 || Boolean(problem);
  const told = `${id}-told`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isWrong, "aria-describedby": told })}
      <div id={told} class={isWrong ? "field-issues" : "hint"}>
        {isWrong ? (problem ?? issues.join(" ")) : hint}
      </div>
    </div>
  );
}
