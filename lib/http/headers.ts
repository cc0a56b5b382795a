import { TrackerError } from "../model/errors.ts";
import { trackOptionsStruct } from "../input/events.ts";
import { retryAfterSeconds, type Allowance } from "../decisions/rate-limit.ts";
import { check } from "../input/shapes.ts";

/** Names and values alternate, the form that `response.writeHead()` of `node:http` handles fastest. */
export type Headers = string[];

/** The header that a 401 answer must carry (RFC 6750 section 3). */
const challenge: Headers = ["WWW-Authenticate", "Bearer"];

export const replayed: Headers = ["Idempotent-Replayed", "true"];

export function allow(methods: readonly string[]): Headers {
  return ["Allow", methods.join(", ")];
}

function retryAfter(seconds: number): Headers {
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

/** The headers that a refusal has because of its code. */
export function headersOf(code: TrackerError["code"], allowance: Allowance | null, now: number): Headers {
  switch (code) {
    case "missing_api_key":
    case "invalid_api_key":
      return challenge;
    case "rate_limited":
      return allowance ? retryAfter(retryAfterSeconds(allowance, now)) : [];
    case "storage_unavailable":
      return retryAfter(1);
    default:
      return [];
  }
}

/** Reads the key from an `Idempotency-Key` header, with or without double quotes around it. Throws `invalid_header`. */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  const idempotencyKey = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (check({ idempotencyKey }, trackOptionsStruct).issues.length === 0) return idempotencyKey;
  throw new TrackerError("invalid_header", { message: "Idempotency-Key must be 1 to 255 visible ASCII characters." });
}

/** Whether a body with this `Content-Encoding` can be read as it is. `identity` means no encoding (RFC 9110 section 8.4.1). */
export function isPlain(contentEncoding: string | null): boolean {
  return /^(?:identity)?$/i.test(contentEncoding ?? "");
}

/** Whether the content type is JSON. A charset other than UTF-8 is refused: RFC 8259 section 8.1 allows no other. */
export function isJson(contentType: string | null): boolean {
  const match = /^\s*application\/json\s*(?:;(.*))?$/i.exec(contentType ?? "");
  const [, parameters] = match ?? [];
  if (parameters === undefined) return match !== null;
  const [, charset = "utf-8"] = /(?:^|;)\s*charset\s*=\s*"?([^\s";]*)/i.exec(parameters) ?? [];
  return charset.toLowerCase() === "utf-8";
}
