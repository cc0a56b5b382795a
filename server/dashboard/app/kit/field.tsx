import {
  h,
  type ComponentChildren,
  type FunctionComponent,
  type InputHTMLAttributes,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "preact";
import { useId } from "preact/hooks";
import { issuesAt } from "../api.ts";
import { Options } from "./options.tsx";

export interface FieldOptions {
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
export const Field: FunctionComponent<FieldOptions & InputHTMLAttributes> = labelled("input");

/** Like `Field`, for a text of several lines. */
export const Area: FunctionComponent<FieldOptions & TextareaHTMLAttributes> = labelled("textarea");

const Select: FunctionComponent<FieldOptions & SelectHTMLAttributes> = labelled("select");

/** Like `Field`, with a choice of given values. */
export function Choice({ options, ...field }: FieldOptions & SelectHTMLAttributes & { options: Choices }) {
  return (
    <Select {...field}>
      <Options of={Object.entries(options)} />
    </Select>
  );
}

/** The words that show each value, by value. */
export type Choices = Readonly<Record<string, string>>;

function labelled(tag: "input" | "textarea" | "select"): FunctionComponent<FieldOptions> {
  return function Labelled({ label, path, error, problem, hint, ...attributes }) {
    const id = useId();
    const issues = issuesAt(error, path);
    const isWrong = issues.length > 0 || Boolean(problem);
    const told = `${id}-told`;
    return (
      <div class="stack field">
        <label for={id}>{label}</label>
        {h(tag, { class: "input", ...attributes, id, "aria-invalid": isWrong, "aria-describedby": told })}
        <div id={told} class={isWrong ? "field-issues" : "hint"}>
          {isWrong ? (problem ?? issues.join(" ")) : hint}
        </div>
      </div>
    );
  };
}
