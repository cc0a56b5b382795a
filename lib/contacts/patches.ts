import { findAttributes, toAttributes, type Attributes } from "../definitions/attributes.ts";
import { namesUnknownAttribute } from "../decisions/contact-writes.ts";
import { foldEmail } from "../model/emails.ts";
import { refusedAfresh, type ListOptions } from "../definitions/index.ts";
import { check, refuse } from "../input/shapes.ts";
import * as structs from "../input/structs.ts";
import { TrackerError, type Issue } from "../model/errors.ts";
import { attributeTriesMax } from "../model/limits.ts";
import { parseTime } from "../model/times.ts";
import { emptyPlainFields, type ContactChanges, type PlainContactField } from "../model/contact-types.ts";
import type { Scope } from "../scope.ts";
import type { ContactFields, ContactPatch } from "../storage/rows.ts";

interface DecidedChange {
  patch: ContactPatch;
  attributes: Attributes | undefined;
}

/** A change that was validated against the attribute definitions. `decide` validates it again, against newer definitions. */
export interface PreparedChange extends DecidedChange {
  decide(options: ListOptions): Promise<DecidedChange>;
}

/**
 * Repeats a write that the storage refuses because another process has deleted one of its attributes. Each try validates the
 * change against newly read attributes. After `attributeTriesMax` tries throws `storage_unavailable`, and nothing is written.
 */
export async function withKnownAttributes<Answer extends object>(
  prepared: PreparedChange,
  first: Answer,
  repeat: (patch: ContactPatch) => Promise<Answer>,
): Promise<{ answer: Answer; attributes: Attributes | undefined }> {
  let { attributes } = prepared;
  let answer = first;
  for (let tries = 1; namesUnknownAttribute(answer); tries++) {
    if (tries === attributeTriesMax) throw new TrackerError("storage_unavailable");
    const decided = await prepared.decide({ maxAgeMs: 0 });
    attributes = decided.attributes;
    answer = await repeat(decided.patch);
  }
  return { answer, attributes };
}

/**
 * Validates and copies the input before the first `await`, and then compares the attributes with their definitions. Throws
 * the issues of both steps together. An issue in `known` replaces those that the input has at the same path.
 */
export async function prepareChange(
  scope: Scope,
  input: unknown,
  struct: typeof structs.contactChangesStruct | typeof structs.newContactStruct | typeof structs.putContactStruct,
  known: readonly Issue[] = [],
): Promise<PreparedChange> {
  const { value, issues: found } = check(input, struct as typeof structs.contactChangesStruct);
  const issues = [...known, ...found.filter(({ path }) => known.every((issue) => issue.path !== path))];
  const fields = issues.length === 0 ? toFields(value) : {};
  const sent = (value as Partial<ContactChanges> | null)?.customAttributes;
  if (sent === undefined || check(sent, structs.customAttributesStruct).issues.some(({ path }) => path === "")) {
    refuse(issues);
    const decided = { patch: { fields, attributes: {}, definedAttributeIds: [] }, attributes: undefined };
    return { ...decided, decide: async () => decided };
  }
  // Each of these values already has an issue. Without the deletion it would get a second one.
  for (const { path } of check(sent, structs.customAttributesStruct).issues) delete sent[path];
  const decide = async (options: ListOptions): Promise<DecidedChange> => {
    const attributes = await findAttributes(scope, options);
    const { values, issues: more } = toAttributes(sent, attributes);
    refuse([...issues, ...more]);
    return { patch: { fields, attributes: values, definedAttributeIds: [...attributes.byId.keys()] }, attributes };
  };
  return { ...(await refusedAfresh(decide)), decide };
}

const copiedFields = ["externalId", ...(Object.keys(emptyPlainFields) as PlainContactField[])] as const;

function toFields(changes: ContactChanges): Partial<ContactFields> {
  const fields: Partial<ContactFields> = {};
  for (const key of copiedFields) {
    const value = changes[key];
    if (value !== undefined) fields[key] = value;
  }
  const { email, signedUpAt } = changes;
  if (email !== undefined) fields.email = foldEmail(email);
  if (signedUpAt !== undefined) fields.signedUpAt = signedUpAt === null ? null : (parseTime(signedUpAt) as number);
  return fields;
}
