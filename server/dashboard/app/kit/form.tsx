import type { ComponentChildren, InputHTMLAttributes } from "preact";
import type { Form } from "../form.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";
import { Area, Choice, Field, type Choices } from "./field.tsx";

interface FormBodyProps<Draft extends object> {
  form: Form<Draft>;
  /** The words on the button that saves. */
  action: string;
  /** The paths of the fields. The fields themselves show the issues at these paths. */
  fields: readonly string[];
  /** Called after the form was saved. */
  onDone?: () => void;
  onClose: () => void;
  children: ComponentChildren;
}

/** A form in a window over the page. */
export function FormDialog<Draft extends object>({ title, ...body }: FormBodyProps<Draft> & { title: string }) {
  return (
    <Dialog title={title} onClose={body.onClose}>
      <FormBody {...body} />
    </Dialog>
  );
}

/** The fields, the error, and the buttons that save the form or close it. */
export function FormBody<Draft extends object>(props: FormBodyProps<Draft> & { label?: string }) {
  const { form, action, fields, onDone, onClose, label, children } = props;
  return (
    <form
      class="stack form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save().then((isSaved) => isSaved && onDone?.());
      }}
    >
      {children}
      <Failure error={form.error} atFields={fields} />
      <div class="dialog-actions">
        <Button action="Cancel" onClick={onClose} />
        <button type="submit" class="button primary" disabled={form.isSaving}>
          {form.isSaving ? "Saving…" : action}
        </button>
      </div>
    </form>
  );
}

/** The draft of a form, or a part of it, that fields show and change. */
export interface Fields<Draft extends object> extends Pick<Form<Draft>, "draft" | "change" | "error"> {
  /** If the draft is a part of a larger one, the path of this part in the input. */
  at?: string;
}

interface FormFieldProps<Draft extends object> {
  of: Fields<Draft>;
  /** The name of the field in the draft. */
  path: keyof Draft & string;
  label: string;
  hint?: ComponentChildren;
  problem?: ComponentChildren;
}

/** A field of the form that holds a text. */
export function TextField<Draft extends object>({ of, ...field }: FormFieldProps<Draft> & InputHTMLAttributes) {
  return <Field {...field} {...boundTo(of, field.path)} />;
}

/** Like `TextField`, for a text of several lines. */
export function AreaField<Draft extends object>({ of, ...field }: FormFieldProps<Draft>) {
  return <Area {...field} {...boundTo(of, field.path)} />;
}

/** A field of the form that holds one of the given values. */
export function ChoiceField<Draft extends object>({ of, ...field }: FormFieldProps<Draft> & { options: Choices }) {
  return <Choice {...field} {...boundTo(of, field.path)} />;
}

function boundTo<Draft extends object>({ draft, change, error, at }: Fields<Draft>, path: keyof Draft & string) {
  return {
    path: at === undefined ? path : `${at}.${path}`,
    error,
    value: String(draft[path]),
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ [path]: value } as unknown as Partial<Draft>),
  };
}

/** A field of the form that is on or off. */
export function CheckField<Draft extends object>({ of, path, label }: FormFieldProps<Draft>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={Boolean(of.draft[path])}
        onChange={(event) => of.change({ [path]: event.currentTarget.checked } as unknown as Partial<Draft>)}
      />
      {label}
    </label>
  );
}
