import { TrackerError } from "../errors.ts";
import { trackOptionsStruct } from "../input/structs.ts";
import type { Allowance } from "../decisions/rate-limit.ts";
import { check } from "../input/shapes.ts";

/** Names and values in turn, as `writeHead` of node:http takes them fastest. */
export type Headers = string[];

/** The challenge of a 401: RFC 6750 section 3. */
export const challenge: Headers = ["WWW-Authenticate", "Bearer"];

export const replayed: Headers = ["Idempotent-Replayed", "true"];

export function allow(methods: readonly string[]): Headers {
  return ["Allow", methods.join(", ")];
}

export function retryAfter(seconds: number): Headers {
  return ["Retry-After", String(seconds)];
}

export function rateLimitHeaders({ limit, remaining, resetsAtSeconds }: Allowance): Headers {
  return [
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(remaining),
    "X-RateLimit-Reset",
    String(resetsAtSeconds),
  ];
}

/** The key of an `Idempotency-Key` header, which may stand in double quotes. Throws `invalid_header`. */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  const idempotencyKey = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (check({ idempotencyKey }, trackOptionsStruct).issues.length === 0) return idempotencyKey;
  throw new TrackerError("invalid_header", { message: "Idempotency-Key must be 1 to 255 visible ASCII characters." });
}

/** RFC 8259 knows only UTF-8, so a charset other than that is none we can read. */
export function isJson(contentType: string | null): boolean {
  const match = /^\s*application\/json\s*(?:;(.*))?$/i.exec(contentType ?? "");
  const [, charset = "utf-8"] = /(?:^|;)\s*charset\s*=\s*"?([^\s";]*)/i.exec(match?.[1] ?? "") ?? [];
  return match !== null && charset.toLowerCase() === "utf-8";
}
