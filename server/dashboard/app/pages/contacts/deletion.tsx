import { useEffect, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Button, Confirm, countOf, Failure, Page } from "../../kit/index.ts";
import { useAction } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { Contact, Deletion } from "../../../../../lib/model/types.ts";
import { ConflictContacts } from "./conflict.tsx";
import { nameOf } from "./name.ts";

interface DeleteButtonProps {
  contact: Contact;
  onDeleted: (deletion: Deletion) => void;
}

export function DeleteButton({ contact, onDeleted }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button action="Delete" needs="deleteContact" onClick={() => setAsking(true)} />
      {isAsking && <Question {...{ contact, onDeleted }} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ contact, onDeleted, onClose }: DeleteButtonProps & { onClose: () => void }) {
  const { run, isRunning, error } = useAction(async () => onDeleted(await api.contacts.delete(contact.externalId)));
  return (
    <Confirm
      title={`Delete ${nameOf(contact)}?`}
      action={isRunning ? "Deleting…" : "Delete the contact"}
      isRunning={isRunning}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        <b>{contact.email}</b> is deleted with all its events, attributes and completed items. This cannot be undone.
        Export it first if you may need it.
      </p>
      <Failure error={error} />
      <ConflictContacts error={error} />
    </Confirm>
  );
}

export function Receipt({ contact, deletion }: { contact: Contact; deletion: Deletion }) {
  // The button that had the focus is gone.
  useEffect(() => document.getElementById("main")?.focus(), []);
  return (
    <Page title={`${nameOf(contact)} is deleted`}>
      <div role="status">
        <p>{countOf(deletion.events, "event")} went with the contact.</p>
        <dl class="facts receipt">
          <dt>Email</dt>
          <dd>{contact.email}</dd>
          <dt>Contact id</dt>
          <dd>
            <code>{deletion.contactId}</code>
          </dd>
        </dl>
      </div>
      <p>
        <a href={hrefOf(["contacts"])}>Back to the contacts</a>
      </p>
    </Page>
  );
}
