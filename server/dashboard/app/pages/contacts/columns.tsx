import { type Columns, ContactLink } from "../../kit/index.ts";
import type { Contact } from "../../../../../lib/model/types.ts";

/** The columns that identify a contact. */
export const contactColumns: Columns<Contact> = {
  Contact: (contact) => (
    <>
      <ContactLink isTitle to={contact} />
      {contact.name && <div class="muted clamped">{contact.email}</div>}
    </>
  ),
  "External id": ({ externalId, email }) => (externalId === email ? <span class="muted">the email</span> : externalId),
};
