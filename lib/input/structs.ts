import { Struct } from "superstruct";
import { definitionKeyStruct, emailStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import { leaf, listOf, nullable, optional, parse, scalars, shape } from "./shapes.ts";
import type { ContactChanges, NewApiKey, NewContact, PutContact, Scalar } from "../model/types.ts";
import type { ConsumeOptions } from "../model/consumer-types.ts";
import type { WorkOptions } from "../model/work-types.ts";
import {
  changeTriesMax,
  consumerSecondsMax,
  itemsPerBatchMax,
  requestsPerMinuteMax,
  slotCount,
  sweepSecondsMax,
  sweepSecondsMin,
  textMaxBytes,
  transactionTriesMax,
} from "../model/limits.ts";
import { flag, text, url, timeStruct, label, oneOf, positiveNumber, wholeNumber } from "./fields.ts";
import { contactFields, type ContactField, type ContactFieldName } from "../model/contact-fields.ts";
import { accesses } from "../model/declarations.ts";
import type { Silenceable } from "../storage/rows.ts";

// Any text passes here. A text that is not an id is refused later, as the id of no row.
const idText = leaf<string>("text", (value) => (typeof value === "string" ? null : "wrong_type"));

const keyOnlyStruct = shape<{ key: string }>("Key", { key: definitionKeyStruct });

export function parseKey(key: unknown): string {
  return parse({ key }, keyOnlyStruct).key;
}

const eventKeyOnlyStruct = shape<{ key: string }>("Key", { key: eventKeyStruct });

export function parseEventKey(key: unknown): string {
  return parse({ key }, eventKeyOnlyStruct).key;
}

export const identifierOnlyStruct: Struct<{ identifier: string }, null> = shape<{ identifier: string }>("Identifier", {
  identifier: externalIdStruct,
});

const externalIdOnlyStruct = shape<{ externalId: string }>("ExternalId", { externalId: externalIdStruct });

export function parseExternalId(value: unknown): string {
  return parse({ externalId: value }, externalIdOnlyStruct).externalId;
}

export const clearable = <T>(struct: Struct<T, null>): Struct<T | null | undefined, null> => optional(nullable(struct));
// No limit here: the limit counts the contact's attributes after the merge, which the storage knows.
export const customAttributesStruct: Struct<Record<string, Scalar | null | undefined>, null> = scalars<Scalar | null>(
  "customAttributes",
  { countMax: Infinity, allowNull: true },
);

function structOf(field: ContactField): Struct<string | Date, null> {
  if (field.kind === "time") return timeStruct;
  return (field.kind === "url" ? url : text)(field.maxBytes) as Struct<string | Date, null>;
}

const changeFields = {
  externalId: clearable(externalIdStruct),
  ...(Object.fromEntries(
    Object.entries(contactFields).map(([name, field]) => [name, clearable(structOf(field))]),
  ) as unknown as { [Name in ContactFieldName]: Struct<ContactChanges[Name], null> }),
  customAttributes: optional(customAttributesStruct),
};

export const newContactStruct: Struct<NewContact, null> = shape<NewContact>("NewContact", {
  email: emailStruct,
  ...changeFields,
});

export const contactChangesStruct: Struct<ContactChanges, null> = shape<ContactChanges>("ContactChanges", {
  email: optional(emailStruct),
  ...changeFields,
});

export const putContactStruct: Struct<PutContact, null> = shape<PutContact>("PutContact", {
  ...changeFields,
  externalId: externalIdStruct,
  email: optional(emailStruct),
});

/** The options of `contacts.delete`. */
export const deletionOptionsStruct: Struct<{ ifExists?: boolean | undefined }, null> = shape<{
  ifExists?: boolean | undefined;
}>("DeletionOptions", { ifExists: optional(flag) });

interface EventPruning {
  before: string | Date;
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
}

export const pruneRequestStruct: Struct<EventPruning, null> = shape<EventPruning>("PruneRequest", {
  before: timeStruct,
  dryRun: optional(flag),
  force: optional(flag),
});

const caughtUp = leaf<"caught-up">("caught-up", (value) => (value === "caught-up" ? null : "invalid_format"));

interface CheckedWorkOptions extends WorkOptions {
  until?: "caught-up" | undefined;
}

export const workOptionsStruct: Struct<CheckedWorkOptions, null> = shape<CheckedWorkOptions>("WorkOptions", {
  until: optional(caughtUp),
  sweepSeconds: optional(wholeNumber(sweepSecondsMin, sweepSecondsMax)),
});

const seconds = optional(positiveNumber(consumerSecondsMax));

export const consumeOptionsStruct: Struct<ConsumeOptions, null> = shape<ConsumeOptions>("ConsumeOptions", {
  transaction: optional(flag),
  until: optional(caughtUp),
  concurrency: optional(wholeNumber(1, slotCount)),
  leaseSeconds: seconds,
  handlerTimeoutSeconds: seconds,
  tries: optional(wholeNumber(1, changeTriesMax)),
  firstPauseSeconds: seconds,
  longestPauseSeconds: seconds,
});

export const transactionOptionsStruct: Struct<{ tries?: number | undefined }, null> = shape<{
  tries?: number | undefined;
}>("TransactionOptions", { tries: optional(wholeNumber(1, transactionTriesMax)) });

export const resumeOptionsStruct: Struct<{ from: "oldest" | "now" }, null> = shape<{ from: "oldest" | "now" }>(
  "ResumeOptions",
  { from: oneOf(["oldest", "now"] as const) },
);

/** Names the change that a contact is parked at. */
export const parkedChangeStruct: Struct<{ key: string; changeId: string }, null> = shape<{
  key: string;
  changeId: string;
}>("ParkedChange", { key: definitionKeyStruct, changeId: idText });

interface Notify {
  notify?: boolean | undefined;
}

const notifyField = { notify: optional(flag) };

export const manyOptionsStruct: Struct<Notify, null> = shape<Notify>("ManyOptions", notifyField);

/** The fields that the options of a list, or the body of a batch, add to each draft. */
export function silenceOf({ notify }: Notify): Silenceable {
  return notify === false ? { notify } : {};
}

/** An item of a batch. It is validated later, because each gets an answer of its own. */
export const anyItemStruct: Struct<unknown, null> = new Struct<unknown, null>({ type: "item", schema: null });

export const batchStruct: Struct<{ items: unknown[] } & Notify, null> = shape<{ items: unknown[] } & Notify>("Batch", {
  items: listOf("items", anyItemStruct, { countMax: itemsPerBatchMax }),
  ...notifyField,
});

export const newApiKeyStruct: Struct<NewApiKey, null> = shape<NewApiKey>("NewApiKey", {
  name: label(textMaxBytes),
  access: optional(oneOf(accesses)),
  requestsPerMinute: optional(wholeNumber(1, requestsPerMinuteMax)),
  expiresAt: optional(timeStruct),
});

export const idOnlyStruct: Struct<{ id: string }, null> = shape<{ id: string }>("Id", {
  id: idText,
});

export const workspaceNameStruct: Struct<{ name: string }, null> = shape<{ name: string }>("WorkspaceName", {
  name: leaf("1 to 64 of a-z, 0-9, _ and -", (value) => {
    if (typeof value !== "string") return "wrong_type";
    return /^[a-z0-9_-]{1,64}$/.test(value) ? null : "invalid_format";
  }),
});
