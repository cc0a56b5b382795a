import { issuesMax, issuesToldMax, pathShownMaxCharacters } from "./limits.ts";

/** Every code of a `TrackerError`, with its default message. A released code never changes. */
export const errorMessages = {
  malformed_json: "The body is not valid JSON in UTF-8.",
  invalid_input: "The input does not match the schema.",
  invalid_path: "The path is not validly percent-encoded.",
  invalid_header: "A header is not valid.",
  missing_api_key: "Send an API key as `Authorization: Bearer <key>`.",
  invalid_api_key: "The API key is not valid.",
  forbidden: "The API key may not do this.",
  contact_not_found:
    "No contact has this externalId. Create the contact first. One with an externalId of its own is not found by its email.",
  route_not_found: "There is no such route.",
  method_not_allowed: "The route does not take this method.",
  body_too_large: "The body is too large.",
  unsupported_media_type: "Send the body as `Content-Type: application/json`, without a Content-Encoding.",
  email_taken: "Another contact has this email.",
  external_id_taken: "Another contact has this externalId.",
  ambiguous_identifier: "The identifier is one contact's externalId and another contact's email.",
  idempotency_key_reused: "The idempotency key was used with another body.",
  rate_limited: "Too many requests; wait until the window ends.",
  internal: "Something went wrong.",
  storage_unavailable: "The storage is unreachable or locked; whether a write happened is not known.",
  attribute_conflict: "The attribute is defined with another type.",
  subscription_conflict: "The subscription is a webhook, or becomes none. Delete it first.",
  secret_not_found: "The webhook has no such secret.",
  secrets_taken: "The webhook has two secrets that sign. Delete one, or wait until the older ends.",
  definition_not_found: "There is no such definition.",
  definition_in_use: "Another definition uses it.",
  definition_unknown: "A later version defined this.",
  api_key_not_found: "There is no such API key.",
  last_admin_key:
    "The last admin key of a workspace cannot be revoked over HTTP. Create another one first, or run `whodid keys revoke`.",
  changes_expired:
    "The changes after this cursor are not all kept. Read without a cursor from the oldest change that is kept.",
  change_not_parked: "No contact is parked at this change. It was retried or dropped, or its contact was deleted.",
  workspace_deleted: "The workspace is being deleted.",
  export_too_large: "The export is over 32 MiB. `whodid export contact` has no limit.",
  unauthenticated: "Log in first.",
  transaction_required: "The transaction is not open.",
  transaction_lost: "The storage gave the transaction up; run it again from its beginning.",
} as const;

/** The code of a `TrackerError`, and of an HTTP error answer. */
export type ErrorCode = keyof typeof errorMessages;

/**
 * Codes of issues that are found without definitions, with their default messages. A client by itself finds no others. A released
 * code never changes.
 */
const inputIssueMessages = {
  required: "Required.",
  unknown_field: "There is no such field.",
  wrong_type: "Has the wrong type.",
  not_allowed_null: "Must not be null.",
  too_short: "Must not be blank.",
  too_long: "Too long.",
  invalid_format: "Not in the format asked for.",
  out_of_range: "Out of range, or cannot be stored exactly.",
} as const;

/** The other codes of issues. */
const otherIssueMessages = {
  attribute_not_defined: "Not defined; did you define it in this workspace?",
  attribute_wrong_type: "Must have the type that the attribute is defined with.",
  empty_list: "Must have at least one entry.",
  repeated_key: "An entry before it has this key.",
  audience_not_defined: "There is no such audience; did you define it in this workspace?",
  checklist_not_defined: "There is no such checklist; did you define it in this workspace?",
  can_turn_false: "Can turn false again; an item stays completed, so it takes a has_done or a count_greater_than.",
  automatic_item: "Events complete this item; it cannot be completed by hand.",
  property_not_defined: "The event type has no such property; older events may have it.",
  event_not_defined: "Not defined; did you define this event type in this workspace?",
} as const;

/** The code of an issue. */
export type IssueCode = InputIssueCode | keyof typeof otherIssueMessages;

export type InputIssueCode = keyof typeof inputIssueMessages;

/** Every code of an issue, with its default message. A function, so that a bundler can leave it out. */
export function issueMessages(): Readonly<Record<IssueCode, string>> {
  return { ...inputIssueMessages, ...otherIssueMessages };
}

/** One problem with an input. */
export interface Issue {
  /** The keys that lead to the value, joined by dots; `""` for the whole input. */
  path: string;
  code: IssueCode;
  /** Describes the expected value; never repeats the received one. */
  message: string;
}

/** A contact that takes part in a conflict. */
export interface ConflictingContact {
  id: string;
  email: string;
  externalId: string;
}

/** The field whose value is in conflict, and the contacts involved. */
export interface Conflict {
  field: "email" | "externalId" | "identifier";
  /** First the contact that the call would have changed, if it exists; then the contact that has the value already. */
  contacts: ConflictingContact[];
}

interface ErrorOf<Code extends ErrorCode> extends Error {
  readonly name: "TrackerError";
  readonly code: Code;
  /** The problems of the input, at most 100, if the code is `invalid_input`; otherwise empty. */
  readonly issues: readonly Issue[];
  /** Adds the message, which `JSON.stringify` leaves out of an `Error`. Has no `cause`. */
  toJSON(): object;
}

interface ConflictError extends ErrorOf<"email_taken" | "external_id_taken" | "ambiguous_identifier"> {
  readonly conflict: Conflict;
}

export interface UnavailableError extends ErrorOf<"rate_limited" | "storage_unavailable"> {
  /** The whole seconds after which a server asks to try again (`Retry-After`). Set by the client; otherwise `null`. */
  readonly retryAfterSeconds: number | null;
}

interface LostError extends ErrorOf<"transaction_lost"> {
  /**
   * True if some writes of the call may have been committed. The transaction ended while the call ran, and the storage could not
   * make the caller's own statements wait. Look at the data before you run it again.
   */
  readonly partial: boolean;
}

type OtherError = ErrorOf<Exclude<ErrorCode, (ConflictError | UnavailableError | LostError)["code"]>>;

/**
 * The error that the library throws if it refuses a call. `code` narrows in a `switch`: `conflict`, `retryAfterSeconds` and
 * `partial` are there for the codes that have them. A message never contains a received value. The message of `invalid_input`
 * contains the paths of the first issues, and with them names of fields that were sent. `instanceof` works within one copy of
 * the package. If several are loaded, compare `code`.
 */
export type TrackerError = ConflictError | UnavailableError | LostError | OtherError;

/** The parts of a new error. A part that errors of its code do not have is ignored. */
interface ErrorDetails {
  message?: string | undefined;
  issues?: readonly Issue[] | undefined;
  conflict?: Conflict | undefined;
  retryAfterSeconds?: number | null | undefined;
  partial?: boolean | undefined;
  cause?: unknown;
}

interface TrackerErrorConstructor {
  new <Code extends ErrorCode>(code: Code, details?: ErrorDetails): TrackerError & { readonly code: Code };
  readonly prototype: TrackerError;
}

/** Constructs an error with a code, such as one that a test double throws. */
export const TrackerError: TrackerErrorConstructor = class extends Error {
  override readonly name = "TrackerError";
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const issues = details.issues ?? [];
    const told = issues.length > 0 ? describeIssues(issues) : errorMessages[code];
    super(details.message ?? told, details);
    this.code = code;
    this.issues = issues.slice(0, issuesMax);
    Object.assign(this, fieldsOf(code, details));
  }

  toJSON(): object {
    const { name, code, message, issues } = this;
    return { name, code, message, issues, ...fieldsOf(code, this) };
  }
} as unknown as TrackerErrorConstructor;

/** The fields that only errors of this code have. */
function fieldsOf(code: ErrorCode, { conflict, retryAfterSeconds = null, partial = false }: ErrorDetails): object {
  switch (code) {
    case "email_taken":
    case "external_id_taken":
    case "ambiguous_identifier":
      return { conflict: conflict ?? { field: conflictFields[code], contacts: [] } };
    case "rate_limited":
    case "storage_unavailable":
      return { retryAfterSeconds };
    case "transaction_lost":
      return { partial };
    default:
      return {};
  }
}

const conflictFields = { email_taken: "email", external_id_taken: "externalId", ambiguous_identifier: "identifier" };

function describeIssues(issues: readonly Issue[]): string {
  const told = issues.slice(0, issuesToldMax).map(describeIssue).join(" ");
  if (issues.length <= issuesToldMax) return told;
  // `issues` stops at `issuesMax`, because finding all would cost more than the rest of the request.
  const more = issues.length < issuesMax ? "" : "at least ";
  return `${told} … and ${more}${Math.min(issues.length, issuesMax) - issuesToldMax} more.`;
}

/** One line for a message: the path of the issue, and its message. */
export function describeIssue({ path, message }: Issue): string {
  return `${shownPath(path)}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** Escapes characters that would garble a log or a terminal, and cuts a long path. A path contains names from the client. */
function shownPath(path: string): string {
  if (path === "") return "the input";
  // A match is one character, so it has a code point.
  const shown = path
    .slice(0, pathShownMaxCharacters)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  return path.length > pathShownMaxCharacters ? `${shown}…` : shown;
}

/** Whether it is a `TrackerError` of this or another copy of the package: a storage may come with a copy of its own. */
export function isTrackerError(error: unknown): error is TrackerError {
  if (!(error instanceof Error) || error.name !== "TrackerError") return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && Object.hasOwn(errorMessages, code);
}

export function issue(path: string, code: IssueCode, message: string = issueMessages()[code]): Issue {
  return { path, code, message };
}

export function inputIssue(path: string, code: InputIssueCode): Issue {
  return { path, code, message: inputIssueMessages[code] };
}
