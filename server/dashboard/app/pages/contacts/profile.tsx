import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ExactTime, scalarWords, Section } from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";
import { contactFieldNames, contactFields, type ContactField } from "../../../../../lib/model/contact-fields.ts";
import type { AttributeDefinition, Contact } from "../../../../../lib/model/types.ts";
import { attributeOf } from "./changes.ts";
import { EditForm } from "./edit.tsx";
import { may } from "../../session.ts";

interface ProfileProps {
  contact: Contact;
  attributes: readonly AttributeDefinition[];
  onSaved: (contact: Contact) => void;
}

/** Shows the fields of the contact, or a form that changes them. */
export function Profile({ contact, attributes, onSaved }: ProfileProps) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing)
    return (
      <Section title="Edit">
        <EditForm
          {...{ contact, attributes }}
          onSaved={(saved) => {
            setEditing(false);
            onSaved(saved);
          }}
          onClose={() => setEditing(false)}
        />
      </Section>
    );
  const edit = may("updateContact") && (
    <button ref={editButton} type="button" class="button small" onClick={() => setEditing(true)}>
      Edit
    </button>
  );
  return (
    <div>
      <Section title="Profile" actions={edit}>
        <Fields contact={contact} />
      </Section>
      <Section title="Attributes">
        <Attributes {...{ contact, attributes }} />
      </Section>
    </div>
  );
}

function Fields({ contact }: { contact: Contact }) {
  return (
    <dl class="facts">
      <Fact label="Email" value={contact.email} />
      {contactFieldNames.map((name) => (
        <Fact key={name} label={contactFields[name].label} value={shown(contactFields[name].kind, contact[name])} />
      ))}
      <Fact label="Added" value={<ExactTime at={contact.createdAt} />} />
      <Fact label="Changed" value={<ExactTime at={contact.updatedAt} />} />
    </dl>
  );
}

function shown(kind: ContactField["kind"], value: string | null): ComponentChildren {
  if (value === null || kind === "text") return value;
  if (kind === "time") return <ExactTime at={value} />;
  return (
    <a href={value} rel="noreferrer" target="_blank">
      {value}
    </a>
  );
}

function Attributes({ contact, attributes }: Omit<ProfileProps, "onSaved">) {
  if (attributes.length === 0)
    return (
      <p class="muted">
        There are none yet. <a href={hrefOf(["attributes"])}>Create one</a> to set it here.
      </p>
    );
  const set = attributes.filter(({ key }) => attributeOf(contact, key) !== undefined);
  if (set.length === 0) return <p class="muted">None is set.</p>;
  return (
    <dl class="facts">
      {set.map(({ key, name }) => (
        <Fact key={key} label={name ?? key} value={scalarWords(attributeOf(contact, key)!)} />
      ))}
    </dl>
  );
}

/** Renders nothing if the value is not set. */
function Fact({ label, value }: { label: string; value: ComponentChildren }) {
  if (value === null || value === "") return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
