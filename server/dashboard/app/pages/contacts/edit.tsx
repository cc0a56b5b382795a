import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { Area, Choice, Field } from "../../kit/field.tsx";
import { useAction } from "../../loading.ts";
import { contactFields } from "../../../../../lib/model/contact-fields.ts";
import type { AttributeDefinition, Contact } from "../../../../../lib/model/types.ts";
import { attributePath, changesOf, draftOf, fields, type Draft, type FormField } from "./changes.ts";
import { conflictAt } from "./conflict.tsx";

const identifiers = {
  email: { label: "Email", hint: undefined },
  externalId: { label: "External id", hint: "Your own id of the contact. Clear it to use the email." },
};
const timeHint = "A time with its zone, as 2026-01-31T09:00:00Z";

function wordsOf(field: FormField): { label: string; hint: string | undefined } {
  if (field === "email" || field === "externalId") return identifiers[field];
  const { label, kind } = contactFields[field];
  return { label, hint: kind === "time" ? timeHint : undefined };
}

const booleans = { "": "Not set", true: "true", false: "false" };

interface EditFormProps {
  contact: Contact;
  attributes: readonly AttributeDefinition[];
  onSaved: (contact: Contact) => void;
  onClose: () => void;
}

/** Changes the fields and attributes of a contact. Sends only changed values, because others may write the rest meanwhile. */
export function EditForm({ contact, attributes, onSaved, onClose }: EditFormProps) {
  const [before] = useState(() => draftOf(contact, attributes));
  const [draft, setDraft] = useState(before);
  const { run, isRunning, error } = useAction(async () => {
    const changes = changesOf(before, draft, attributes);
    const isChanged = Object.keys(changes).length > 0;
    onSaved(isChanged ? await api.contacts.update(contact.externalId, changes) : contact);
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current!.querySelector("input")!.focus(), []);
  const of = { draft, error, change: (path: string, text: string) => setDraft({ ...draft, [path]: text }) };
  return (
    <form
      ref={form}
      class="form"
      aria-label="Edit the contact"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {fields.map((field) => (
        <TextInput key={field} path={field} {...wordsOf(field)} {...of} />
      ))}
      {attributes.map((attribute) => (
        <AttributeInput key={attribute.key} attribute={attribute} {...of} />
      ))}
      <Failure error={error} atFields={Object.keys(draft)} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={isRunning}>
          {isRunning ? "Saving…" : "Save"}
        </button>
      </div>
    </form>
  );
}

interface InputProps {
  draft: Draft;
  error: unknown;
  change: (path: string, text: string) => void;
}

interface TextInputProps extends InputProps {
  label: string;
  path: string;
  hint?: ComponentChildren;
  inputMode?: "decimal" | undefined;
}

function TextInput({ draft, change, inputMode, ...field }: TextInputProps) {
  const value = draft[field.path]!;
  // A single-line input would delete the line breaks of the value.
  const [hasLines] = useState(/[\r\n]/.test(value));
  const of = { ...field, problem: conflictAt(field.error, field.path), value };
  if (hasLines) return <Area {...of} onInput={(event) => change(field.path, event.currentTarget.value)} />;
  return <Field {...of} inputMode={inputMode} onInput={(event) => change(field.path, event.currentTarget.value)} />;
}

function AttributeInput({ attribute: { key, name, type }, ...of }: InputProps & { attribute: AttributeDefinition }) {
  const field = { label: name ?? key, path: attributePath(key), hint: name ? <code>{key}</code> : undefined };
  if (type === "boolean")
    return (
      <Choice
        {...field}
        error={of.error}
        options={booleans}
        value={of.draft[field.path]!}
        onChange={(event) => of.change(field.path, event.currentTarget.value)}
      />
    );
  return <TextInput {...field} {...of} inputMode={type === "number" ? "decimal" : undefined} />;
}
