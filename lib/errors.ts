/** Every code a `TrackerError` can carry, with the message it has unless told otherwise. A released code never changes. */
export const errorMessages = {
  malformed_json: "The body is not valid JSON in UTF-8.",
  invalid_input: "The input does not match the schema.",
  invalid_path: "The path is not validly percent-encoded.",
  invalid_header: "A header is not valid.",
  missing_api_key: "Send an API key as `Authorization: Bearer <key>`.",
  invalid_api_key: "The API key is not valid.",
  contact_not_found: "There is no such contact.",
  route_not_found: "There is no such route.",
  method_not_allowed: "The route does not take this method.",
  body_too_large: "The body is too large.",
  unsupported_media_type: "Send the body as `Content-Type: application/json`.",
  email_taken: "Another contact has this email.",
  external_id_taken: "Another contact has this externalId.",
  ambiguous_identifier: "The identifier is one contact's externalId and another contact's email.",
  idempotency_key_reused: "The idempotency key was used with another body.",
  rate_limited: "Too many requests; wait until the window ends.",
  internal: "Something went wrong.",
  storage_unavailable: "The storage cannot be reached now; whether a write happened is not known.",
  attribute_conflict: "The attribute is defined with another type.",
  definition_not_found: "There is no such definition.",
  api_key_not_found: "There is no such API key.",
  transaction_required: "The transaction is not open.",
  transaction_lost: "The storage gave the transaction up; run it again from its beginning.",
} as const;

/** What a `TrackerError` is about; the code of an HTTP error answer, too. */
export type ErrorCode = keyof typeof errorMessages;

export const errorCodes: readonly ErrorCode[] = Object.keys(errorMessages) as ErrorCode[];

/** Every code an issue can carry, with its message. A released code never changes. */
export const issueMessages = {
  required: "This is required.",
  unknown_field: "There is no such field.",
  wrong_type: "This has the wrong type.",
  not_allowed_null: "This cannot be null.",
  too_short: "This cannot be blank.",
  too_long: "This is too long.",
  invalid_format: "This is not in the format asked for.",
  out_of_range: "This is out of range, or cannot be stored exactly.",
  attribute_not_defined: "Define the attribute before sending it.",
  attribute_wrong_type: "The attribute is defined with another type.",
} as const;

/** What is wrong with one part of an input. */
export type IssueCode = keyof typeof issueMessages;

/** One problem of an input. */
export interface Issue {
  /** Dotted; `""` is the whole input. */
  path: string;
  code: IssueCode;
  message: string;
}

/** A contact as a conflict names it. */
export interface ConflictingContact {
  id: string;
  email: string;
  externalId: string;
}

/** Which value clashed, and between whom. */
export interface Conflict {
  field: "email" | "externalId" | "identifier";
  /** The contact that was to be written, where it exists already, then the one that holds the value. */
  contacts: ConflictingContact[];
}

/** The same in every copy of the package. */
const brand = Symbol.for("whodid.TrackerError");

/**
 * The one error that the library throws on purpose. `code` narrows in a `switch`; neither it nor `message` holds received values.
 * One of another copy of the package is an `instanceof` it, too.
 */
export class TrackerError extends Error {
  override readonly name = "TrackerError";
  readonly code: ErrorCode;
  /** What is wrong with the input: with `invalid_input`, one per problem, at most 100; otherwise empty. */
  readonly issues: readonly Issue[];
  /** With `email_taken`, `external_id_taken` and `ambiguous_identifier`; otherwise `null`. */
  readonly conflict: Conflict | null;

  static {
    Object.defineProperty(this.prototype, brand, { value: true });
    // Else a refusal of a storage that came with a copy of its own would be taken for the storage's answer.
    Object.defineProperty(this, Symbol.hasInstance, { value: hasInstance });
  }

  constructor(
    code: ErrorCode,
    details: {
      message?: string | undefined;
      issues?: readonly Issue[] | undefined;
      conflict?: Conflict | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(details.message ?? errorMessages[code], "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.issues = details.issues ?? [];
    this.conflict = details.conflict ?? null;
  }
}

function hasInstance(this: unknown, value: unknown): boolean {
  // A class made of it inherits this, and has instances of its own.
  if (this !== TrackerError) return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
  return typeof value === "object" && value !== null && brand in value;
}
