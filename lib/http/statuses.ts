import type { ErrorCode } from "../model/errors.ts";

export const ok = 200;
export const created = 201;

/** Statuses of the codes that an HTTP request can cause. */
const met = {
  malformed_json: 400,
  invalid_input: 400,
  invalid_path: 400,
  invalid_header: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  forbidden: 403,
  contact_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  email_taken: 409,
  external_id_taken: 409,
  ambiguous_identifier: 409,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  storage_unavailable: 503,
  attribute_conflict: 409,
  subscription_conflict: 409,
  secrets_taken: 409,
  secret_not_found: 404,
  definition_not_found: 404,
  definition_in_use: 409,
  definition_unknown: 500,
  api_key_not_found: 404,
  last_admin_key: 409,
  changes_expired: 410,
  change_not_parked: 404,
  workspace_deleted: 410,
  export_too_large: 422,
} satisfies Partial<Record<ErrorCode, number>>;

const statuses: Record<ErrorCode, number> = {
  ...met,
  // No route of the API answers with these. The first is of `visitors`, the others are for an application's own routes.
  unauthenticated: 401,
  transaction_required: 500,
  transaction_lost: 503,
};

/** The codes that an HTTP request can cause. */
export const metCodes: readonly ErrorCode[] = Object.keys(met) as ErrorCode[];

/**
 * The HTTP status that `handle` answers for a code. For a code that only the methods throw, it is the status to use in your
 * own routes. 500 for a code that this version does not know.
 */
export function statusOf(code: ErrorCode): number {
  return Object.hasOwn(statuses, code) ? statuses[code] : statuses.internal;
}
