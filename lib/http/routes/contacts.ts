import { listAudiencesOf } from "../../audiences.ts";
import { exportContact } from "../../exports/contact.ts";
import { countContacts, deleteContact, getContact, listContacts, updateContact } from "../../contacts/index.ts";
import { putContact, upsertContact } from "../../contacts/upserts.ts";
import { TrackerError } from "../../model/errors.ts";
import { exportMaxBytes } from "../../model/limits.ts";
import { contactListStruct } from "../../input/pages.ts";
import { parse } from "../../input/shapes.ts";
import { created, ok } from "../statuses.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { route, type Route, type Success } from "./route.ts";

function answerOf({ contact, created: isNew }: Awaited<ReturnType<typeof upsertContact>>): Success {
  return { status: isNew ? created : ok, body: { contact } };
}

export const contactRoutes: readonly Route[] = [
  route("upsertContact", {
    query: "ignored",
    summary: "Create the contact of an email, or update it.",
    input: "ContactInput",
    successes: [created, ok],
    output: "Contact",
    refusals: ["external_id_taken"],
    run: async ({ scope, body }) => answerOf(await upsertContact(scope, body)),
  }),
  route("listContacts", {
    query: { ...pageQuery, query: "text", order: "text", count: "boolean" },
    summary: "List contacts, or those whose email, externalId or name begins with a text.",
    output: { ...pageOutput("Contacts"), "total?": "Count" },
    async call({ scope, query }) {
      const { count = false, ...page } = parse(query, contactListStruct);
      const listed = await listContacts(scope, page);
      return count ? { ...listed, total: await countContacts(scope) } : listed;
    },
  }),
  route("getContact", {
    query: "ignored",
    summary: "Get a contact.",
    output: "Contact",
    refusals: ["contact_not_found"],
    async call({ scope, parameters: { externalId } }) {
      const contact = await getContact(scope, externalId);
      if (!contact) throw new TrackerError("contact_not_found");
      return contact;
    },
  }),
  route("putContact", {
    query: "ignored",
    summary: "Create the contact of an externalId, which needs an email, or update it.",
    input: "PutFields",
    successes: [created, ok],
    output: "Contact",
    refusals: ["email_taken"],
    run: async ({ scope, parameters: { externalId }, body }) => answerOf(await putContact(scope, externalId, body)),
  }),
  route("updateContact", {
    query: "ignored",
    summary: "Change a contact. What is left out stays; null clears.",
    input: "ContactChanges",
    output: "Contact",
    refusals: ["contact_not_found", "email_taken", "external_id_taken"],
    call: ({ scope, parameters: { externalId }, body }) => updateContact(scope, externalId, body),
  }),
  route("deleteContact", {
    query: "ignored",
    summary: "Delete a contact, by externalId or email, with everything kept about it.",
    output: "Deletion",
    refusals: ["contact_not_found", "ambiguous_identifier"],
    call: ({ scope, parameters: { identifier } }) => deleteContact(scope, identifier),
  }),
  route("listAudiencesOfContact", {
    summary: "List the keys of the audiences that hold of a contact now.",
    output: "Keys",
    refusals: ["contact_not_found"],
    call: ({ scope, parameters: { externalId } }) => listAudiencesOf(scope, externalId),
  }),
  route("exportContact", {
    summary: "Get everything that is kept about a contact.",
    output: "ContactExport",
    refusals: ["contact_not_found", "export_too_large"],
    call: ({ scope, parameters: { externalId } }) => exportContact(scope, externalId, exportMaxBytes),
  }),
];
