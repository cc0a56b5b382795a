import { isDate } from "node:util/types";
import { definitionKeyStruct, emailStruct, eventKeyStruct, externalIdStruct } from "./identifiers.ts";
import {
  leaf,
  listOf,
  nullable,
  optional,
  parse,
  scalarStruct,
  shape,
  structOf,
  valuesByName,
  type Input,
} from "./shapes.ts";
import type { ContactChanges, NewApiKey, NewContact, PutContact, Scalar } from "../model/types.ts";
import type { ConsumeOptions } from "../model/consumer-types.ts";
import type { WorkOptions } from "../model/work-types.ts";
import * as limits from "../model/limits.ts";
import { flag, text, url, timeStruct, label, oneOf, positiveNumber, textOf, wholeNumber } from "./fields.ts";
import { contactFields, type ContactField, type ContactFieldName } from "../model/contact-fields.ts";
import { accesses } from "../model/declarations.ts";
import type { Silenceable } from "../storage/rows.ts";

// Any text passes here. A text that is not an id is refused later, as the id of no row.
const idText = leaf<string>("text", (value) => (typeof value === "string" ? null : "wrong_type"), { type: "string" });

type Parser = (value: unknown) => string;

/** Makes a function that validates one argument of a method, which issues call by this name. */
function parserOf(name: string, struct: Input<string>): Parser {
  const only = shape<Record<string, string>>({ [name]: struct });
  return (value) => parse({ [name]: value }, only)[name]!;
}

export const parseKey: Parser = parserOf("key", definitionKeyStruct);
export const parseEventKey: Parser = parserOf("key", eventKeyStruct);
export const parseExternalId: Parser = parserOf("externalId", externalIdStruct);
export const parseIdentifier: Parser = parserOf("identifier", externalIdStruct);
export const parseId: Parser = parserOf("id", idText);

export const clearable = <T>(struct: Input<T>): Input<T | null | undefined> => optional(nullable(struct));
// No limit here: the limit counts the contact's attributes after the merge, which the storage knows.
export const customAttributesStruct: Input<Record<string, Scalar | Date | null | undefined>> = valuesByName(
  nullable(
    structOf<Scalar | Date>(
      scalarStruct.schema,
      (value) => (isDate(value) ? new Date(value) : value),
      (value, context) => (isDate(value) ? [] : scalarStruct.find(value, context)),
    ),
  ),
  Infinity,
);

function fieldStructOf(field: ContactField): Input<string | Date> {
  if (field.kind === "time") return timeStruct;
  return (field.kind === "url" ? url : text)(field.maxBytes) as Input<string | Date>;
}

const changeFields = {
  externalId: clearable(externalIdStruct),
  ...(Object.fromEntries(
    Object.entries(contactFields).map(([name, field]) => [name, clearable(fieldStructOf(field))]),
  ) as unknown as { [Name in ContactFieldName]: Input<ContactChanges[Name]> }),
  customAttributes: optional(customAttributesStruct),
};

export const newContactStruct: Input<NewContact> = shape({
  email: emailStruct,
  ...changeFields,
});

export const contactChangesStruct: Input<ContactChanges> = shape({
  email: optional(emailStruct),
  ...changeFields,
});

export const putContactStruct: Input<PutContact> = shape({
  ...changeFields,
  externalId: externalIdStruct,
  email: optional(emailStruct),
});

/** The options of `contacts.delete`. */
export const deletionOptionsStruct: Input<{ ifExists?: boolean | undefined }> = shape({ ifExists: optional(flag) });

interface EventPruning {
  before: string | Date;
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
}

export const pruneRequestStruct: Input<EventPruning> = shape({
  before: timeStruct,
  dryRun: optional(flag),
  force: optional(flag),
});

const caughtUp = leaf<"caught-up">("caught-up", (value) => (value === "caught-up" ? null : "invalid_format"));

interface CheckedWorkOptions extends WorkOptions {
  until?: "caught-up" | undefined;
}

export const workOptionsStruct: Input<CheckedWorkOptions> = shape({
  until: optional(caughtUp),
  sweepSeconds: optional(wholeNumber(limits.sweepSecondsMin, limits.sweepSecondsMax)),
});

const seconds = optional(positiveNumber(limits.consumerSecondsMax));

export const consumeOptionsStruct: Input<ConsumeOptions> = shape({
  transaction: optional(flag),
  until: optional(caughtUp),
  concurrency: optional(wholeNumber(1, limits.slotCount)),
  leaseSeconds: seconds,
  handlerTimeoutSeconds: seconds,
  tries: optional(wholeNumber(1, limits.changeTriesMax)),
  firstPauseSeconds: seconds,
  longestPauseSeconds: seconds,
});

export const transactionOptionsStruct: Input<{ tries?: number | undefined }> = shape({
  tries: optional(wholeNumber(1, limits.transactionTriesMax)),
});

const placeStruct = oneOf(["oldest", "now"] as const);

export const resumeOptionsStruct: Input<{ from: string | Date }> = shape({
  from: structOf<string | Date>({ anyOf: [placeStruct, timeStruct] }, timeStruct.coercer, (value, context) =>
    (value === "oldest" || value === "now" ? placeStruct : timeStruct).find(value, context),
  ),
});

/** Names the change that a contact is parked at. */
export const parkedChangeStruct: Input<{ key: string; changeId: string }> = shape({
  key: definitionKeyStruct,
  changeId: idText,
});

export const secretOfWebhookStruct: Input<{ key: string; id: string }> = shape({
  key: definitionKeyStruct,
  id: idText,
});

interface Notify {
  notify?: boolean | undefined;
}

const notifyField = { notify: optional(flag) };

export const manyOptionsStruct: Input<Notify> = shape(notifyField);

/** The fields that the options of a list, or the body of a batch, add to each draft. */
export function silenceOf({ notify }: Notify): Silenceable {
  return notify === false ? { notify } : {};
}

/** An item of a batch. It is validated later, because each gets an answer of its own. */
export const anyItemStruct: Input<unknown> = clearable(leaf<unknown>("anything", () => null));

export const batchStruct: Input<{ items: readonly unknown[] } & Notify> = shape({
  items: listOf(anyItemStruct, { countMax: limits.itemsPerBatchMax }),
  ...notifyField,
});

export const newApiKeyStruct: Input<NewApiKey> = shape({
  name: label(limits.textMaxBytes),
  access: optional(oneOf(accesses)),
  requestsPerMinute: optional(wholeNumber(1, limits.requestsPerMinuteMax)),
  expiresAt: optional(timeStruct),
});

export const workspaceNameStruct: Input<{ name: string }> = shape({
  name: textOf("1 to 64 of a-z, 0-9, _ and -", Infinity, (value) =>
    /^[a-z0-9_-]{1,64}$/.test(value) ? null : "invalid_format",
  ),
});
