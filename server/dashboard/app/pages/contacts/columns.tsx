import type { Columns } from "../../kit/table.tsx";
import { hrefOf } from "../../location.ts";
import type { Contact } from "../../../../../lib/model/types.ts";
import { nameOf } from "./name.ts";

/** The columns that identify a contact. */
export const contactColumns: Columns<Contact> = {
  Contact: (contact) => (
    <>
      <a class="row-link clamped" href={hrefOf(["contacts", contact.externalId])}>
        {nameOf(contact)}
      </a>
      {contact.name && <div class="muted clamped">{contact.email}</div>}
    </>
  ),
  "External id": ({ externalId, email }) => (externalId === email ? <span class="muted">the email</span> : externalId),
};
