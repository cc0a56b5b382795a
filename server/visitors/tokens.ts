/** Tokens of visitors: JSON Web Tokens (RFC 7519) with HS256, the only algorithm. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { check } from "../../lib/input/shapes.ts";
import { workspaceNameStruct } from "../../lib/input/structs.ts";
import type { NewContact } from "../../lib/model/types.ts";
import type { Claims } from "./agreed.ts";
import { freshMaxSeconds, leewaySeconds, secretsMax, tokenMaxSeconds } from "./limits.ts";
import type { NamedVisitor } from "./tracker-calls.ts";

/** The secrets of each workspace: one, or two while a new one replaces an old one. */
export type VisitorSecrets = Readonly<Record<string, readonly string[]>>;

/** Groups the signed text, its two parts, and the signature. */
const bearer = /^\s*Bearer +(([\w-]+)\.([\w-]+))\.([\w-]+)\s*$/i;
const secretForm = /^vs_[A-Za-z0-9_-]{43}$/;

export function generateSecret(): string {
  return `vs_${randomBytes(32).toString("base64url")}`;
}

/** Whether every name can be a workspace's, and has one or two secrets. */
export function areSecrets(given: unknown): given is VisitorSecrets {
  const entries = Object.entries(Object(given) as Record<string, unknown>);
  const areValid = ([name, own]: [string, unknown]): boolean =>
    check({ name }, workspaceNameStruct).issues.length === 0 &&
    Array.isArray(own) &&
    own.length > 0 &&
    own.length <= secretsMax &&
    own.every((secret) => typeof secret === "string" && secretForm.test(secret));
  return entries.length > 0 && entries.every(areValid);
}

/**
 * Returns a function that reads an `Authorization` header. It returns `null` for a token that is not valid, whatever the reason.
 * With `creates`, a recent token with an email creates its contact.
 */
export function createTokenReader(
  secrets: VisitorSecrets,
  creates: boolean,
  now: () => number,
): (authorization: string | null) => NamedVisitor | null {
  const secretsOf = new Map<unknown, readonly string[]>(Object.entries(secrets));

  return (authorization) => {
    const [, signed = "", ...parts] = bearer.exec(authorization ?? "") ?? [];
    const [header, claims, signature] = parts.map(decoded);
    if (!header || !claims || !signature) return null;
    const [{ alg, crit } = {}, read] = [objectOf(header), objectOf(claims)];
    // An extension that the token calls critical must be understood (RFC 7515 section 4.1.11). This reader understands none.
    if (!read || alg !== "HS256" || crit !== undefined) return null;
    const { workspace = "default", ...unverified } = read;
    const isSigned = secretsOf.get(workspace)?.some((secret) => isSignature(signature, signed, secret));
    return isSigned ? visitorOf(unverified, workspace as string) : null;
  };

  function visitorOf(claims: Claims, workspace: string): NamedVisitor | null {
    const seconds = now() / 1_000;
    if (!isCurrent(claims, seconds)) return null;
    const { sub: externalId, email, name } = claims;
    // The tracker checks the values.
    const create = creates && isFresh(claims, seconds) ? () => ({ email, name }) as NewContact : null;
    // An externalId has no NUL.
    return { workspace, externalId, tagStart: `${workspace}\0`, create };
  }
}

/** The bytes of base64url as RFC 7515 has it; `null` for another spelling of the same bytes, such as one with padding. */
function decoded(part: string): Buffer | null {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes : null;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The object of a JSON text; `undefined` for another text. Refuses a name twice, of which `JSON.parse` would keep the last. */
function objectOf(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const json = decoder.decode(bytes);
    // `JSON.parse` calls the function for each member that it keeps, and for the whole as the member of an object.
    let kept = 0;
    const value: unknown = JSON.parse(json, function (this: unknown, _name, member: unknown) {
      if (!Array.isArray(this)) kept++;
      return member;
    });
    // Outside of texts, each colon follows the name of a member.
    const named = json.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length;
    return named === kept && Object.getPrototypeOf(value) === Object.prototype ? Object(value) : undefined;
  } catch {
    return undefined;
  }
}

function isSignature(given: Buffer, signed: string, secret: string): boolean {
  const right = createHmac("sha256", secret).update(signed).digest();
  return given.length === right.length && timingSafeEqual(given, right);
}

function isCurrent({ exp, nbf = 0, iat = 0 }: Claims, seconds: number): boolean {
  if (!isTime(exp) || !isTime(nbf) || !isTime(iat)) return false;
  const isOpen = nbf <= seconds + leewaySeconds && exp > seconds - leewaySeconds;
  return isOpen && exp <= seconds + tokenMaxSeconds + leewaySeconds;
}

function isFresh({ email, iat }: Claims, seconds: number): boolean {
  if (email === undefined || !isTime(iat)) return false;
  return iat >= seconds - freshMaxSeconds - leewaySeconds && iat <= seconds + leewaySeconds;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);
