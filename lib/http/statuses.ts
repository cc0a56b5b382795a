import type { ErrorCode } from "../errors.ts";

export const ok = 200;
export const created = 201;

/** The status of each code; the codes that no request can meet count as errors of ours. */
const statuses: Partial<Record<ErrorCode, number>> = {
  malformed_json: 400,
  invalid_input: 400,
  invalid_path: 400,
  invalid_header: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
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
};

/** `undefined` for a code that only in-process callers meet. */
export function statusOf(code: ErrorCode): number | undefined {
  // The code of an error that is ours by its mark alone may be any text.
  return Object.hasOwn(statuses, code) ? statuses[code] : undefined;
}
