import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useForm } from "../../form.ts";
import { AreaField, ChoiceField, type Fields, FormBody, TextField } from "../../kit/index.ts";
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
  const form = useForm(before, async (draft) => {
    const changes = changesOf(before, draft, attributes);
    const isChanged = Object.keys(changes).length > 0;
    onSaved(isChanged ? await api.contacts.update(contact.externalId, changes) : contact);
  });
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current!.querySelector("input")!.focus(), []);
  return (
    <div ref={container}>
      <FormBody {...{ form, onClose }} label="Edit the contact" action="Save" fields={Object.keys(before)}>
        {fields.map((field) => (
          <TextInput key={field} of={form} path={field} {...wordsOf(field)} />
        ))}
        {attributes.map((attribute) => (
          <AttributeInput key={attribute.key} of={form} attribute={attribute} />
        ))}
      </FormBody>
    </div>
  );
}

interface TextInputProps {
  of: Fields<Draft>;
  path: string;
  label: string;
  hint?: ComponentChildren;
  inputMode?: "decimal" | undefined;
}

function TextInput({ of, path, inputMode, ...words }: TextInputProps) {
  // A single-line input would delete the line breaks of the value.
  const [hasLines] = useState(/[\r\n]/.test(of.draft[path]!));
  const field = { of, path, ...words, problem: conflictAt(of.error, path) };
  return hasLines ? <AreaField {...field} /> : <TextField {...field} inputMode={inputMode} />;
}

function AttributeInput({ of, attribute: { key, name, type } }: { of: Fields<Draft>; attribute: AttributeDefinition }) {
  const field = { of, label: name ?? key, path: attributePath(key), hint: name ? <code>{key}</code> : undefined };
  if (type === "boolean") return <ChoiceField {...field} options={booleans} />;
  return <TextInput {...field} inputMode={type === "number" ? "decimal" : undefined} />;
}
