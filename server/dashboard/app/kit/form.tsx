import type { ComponentChildren, InputHTMLAttributes } from "preact";
import type { Form } from "../form.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { Choice, Field } from "./field.tsx";

/** A form in a window over the page: the fields, the error, and the buttons that save the form or close it. */
export function FormDialog<Draft extends object>({
  title,
  form,
  action,
  fields,
  onDone,
  onClose,
  children,
}: {
  title: string;
  form: Form<Draft>;
  /** The words on the button that saves. */
  action: string;
  /** The paths of the fields. The fields themselves show the issues at these paths. */
  fields: readonly string[];
  onDone: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.save().then((isSaved) => isSaved && onDone());
        }}
      >
        {children}
        <Failure error={form.error} atFields={fields} />
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={form.isSaving}>
            {form.isSaving ? "Saving…" : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FormFieldProps<Draft extends object> {
  of: Form<Draft>;
  /** The path of the field: its name in the draft. */
  path: keyof Draft & string;
  label: string;
  hint?: ComponentChildren;
}

/** A field of the form that holds a text. */
export function TextField<Draft extends object>({
  of: { draft, change, error },
  path,
  ...field
}: FormFieldProps<Draft> & InputHTMLAttributes) {
  const value = String(draft[path]);
  const onInput = (text: string): void => change({ [path]: text } as unknown as Partial<Draft>);
  return <Field {...field} {...{ path, error, value }} onInput={(event) => onInput(event.currentTarget.value)} />;
}

/** A field of the form that holds one of the given values. */
export function ChoiceField<Draft extends object>({
  of: { draft, change, error },
  path,
  ...field
}: FormFieldProps<Draft> & { options: Readonly<Record<string, string>> }) {
  const value = String(draft[path]);
  const onChange = (chosen: string): void => change({ [path]: chosen } as unknown as Partial<Draft>);
  return <Choice {...field} {...{ path, error, value }} onChange={(event) => onChange(event.currentTarget.value)} />;
}

/** A field of the form that is on or off. */
export function CheckField<Draft extends object>({
  of: { draft, change },
  path,
  label,
}: Pick<FormFieldProps<Draft>, "of" | "path" | "label">) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={Boolean(draft[path])}
        onChange={(event) => change({ [path]: event.currentTarget.checked } as unknown as Partial<Draft>)}
      />
      {label}
    </label>
  );
}
