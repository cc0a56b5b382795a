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
import type { Route, Success } from "./route.ts";
import { at } from "./table.ts";

function answerOf({ contact, created: isNew }: Awaited<ReturnType<typeof upsertContact>>): Success {
  return { status: isNew ? created : ok, body: { contact } };
}

export const contactRoutes: readonly Route[] = [
  {
    ...at("upsertContact"),
    summary: "Create the contact of an email, or update it.",
    input: "NewContact",
    successes: [created, ok],
    output: { contact: "Contact" },
    refusals: ["external_id_taken"],
    run: async ({ scope, body }) => answerOf(await upsertContact(scope, body)),
  },
  {
    ...at("listContacts"),
    query: { ...pageQuery, query: "text", order: "text", count: "boolean" },
    summary: "List contacts, or those whose email, externalId or name begins with a text.",
    successes: [ok],
    output: { ...pageOutput("Contacts"), "total?": "Count" },
    refusals: [],
    async run({ scope, query }) {
      const { count = false, ...page } = parse(query, contactListStruct);
      const listed = await listContacts(scope, page);
      return { status: ok, body: count ? { ...listed, total: await countContacts(scope) } : listed };
    },
  },
  {
    ...at("getContact"),
    summary: "Get a contact.",
    successes: [ok],
    output: { contact: "Contact" },
    refusals: ["contact_not_found"],
    async run({ scope, parameters }) {
      const contact = await getContact(scope, parameters["externalId"]);
      if (!contact) throw new TrackerError("contact_not_found");
      return { status: ok, body: { contact } };
    },
  },
  {
    ...at("putContact"),
    summary: "Create the contact of an externalId, which needs an email, or update it.",
    input: "PutFields",
    successes: [created, ok],
    output: { contact: "Contact" },
    refusals: ["email_taken"],
    run: async ({ scope, parameters, body }) => answerOf(await putContact(scope, parameters["externalId"], body)),
  },
  {
    ...at("updateContact"),
    summary: "Change a contact. What is left out stays; null clears.",
    input: "ContactChanges",
    successes: [ok],
    output: { contact: "Contact" },
    refusals: ["contact_not_found", "email_taken", "external_id_taken"],
    run: async ({ scope, parameters, body }) => ({
      status: ok,
      body: { contact: await updateContact(scope, parameters["externalId"], body) },
    }),
  },
  {
    ...at("deleteContact"),
    summary: "Delete a contact, by externalId or email, with everything kept about it.",
    successes: [ok],
    output: { deleted: "Deletion" },
    refusals: ["contact_not_found", "ambiguous_identifier"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { deleted: await deleteContact(scope, parameters["identifier"]) },
    }),
  },
  {
    ...at("listAudiencesOfContact"),
    query: {},
    summary: "List the keys of the audiences that hold of a contact now.",
    successes: [ok],
    output: { items: "Keys" },
    refusals: ["contact_not_found"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { items: await listAudiencesOf(scope, parameters["externalId"]) },
    }),
  },
  {
    ...at("exportContact"),
    query: {},
    summary: "Get everything that is kept about a contact.",
    successes: [ok],
    output: { export: "ContactExport" },
    refusals: ["contact_not_found", "export_too_large"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: { export: await exportContact(scope, parameters["externalId"], exportMaxBytes) },
    }),
  },
];
