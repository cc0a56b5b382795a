/** Tokens of visitors: JSON Web Tokens (RFC 7519) with HS256, the only algorithm. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { check } from "../../lib/input/shapes.ts";
import { workspaceNameStruct } from "../../lib/input/structs.ts";
import type { NewContact } from "../../lib/model/types.ts";
import type { TokenClaims } from "./agreed.ts";
import { freshMaxSeconds, leewaySeconds, secretsMax, tokenMaxSeconds } from "./limits.ts";
import type { Identity } from "./tracker-calls.ts";

/** The secrets of each workspace: one, or two while a new one replaces an old one. */
export type VisitorSecrets = Readonly<Record<string, readonly string[]>>;

/** The claims of a token, of any type: whoever has a secret may sign anything. */
type Claims = Readonly<Partial<Record<keyof TokenClaims, unknown>>>;

const secretForm = /^vs_[A-Za-z0-9_-]{43}$/;

export function generateSecret(): string {
  return `vs_${randomBytes(32).toString("base64url")}`;
}

/** Whether every name can be a workspace's, and has one or two secrets. */
export function areSecrets(given: unknown): given is VisitorSecrets {
  const entries = Object.entries(Object(given) as Record<string, unknown>);
  return entries.length > 0 && entries.every(([name, secrets]) => isWorkspace(name) && areOfOne(secrets));
}

function isWorkspace(name: string): boolean {
  return check({ name }, workspaceNameStruct).issues.length === 0;
}

function areOfOne(secrets: unknown): boolean {
  if (!Array.isArray(secrets) || secrets.length < 1 || secrets.length > secretsMax) return false;
  return secrets.every((secret) => typeof secret === "string" && secretForm.test(secret));
}

/**
 * Returns a function that reads an `Authorization` header. It returns `null` for a token that is not valid, whatever the reason.
 * With `creates`, a recent token with an email creates its contact.
 */
export function createTokenReader(
  secrets: VisitorSecrets,
  creates: boolean,
  now: () => number,
): (authorization: string | null) => Identity | null {
  const secretsOf = new Map<unknown, readonly string[]>(Object.entries(secrets));

  return (authorization) => {
    const claims = verified(/^\s*Bearer +([\w.-]+)\s*$/i.exec(authorization ?? "")?.[1] ?? "");
    const seconds = now() / 1_000;
    if (!claims || !isCurrent(claims, seconds)) return null;
    // The workspace has secrets, so it is a name.
    const workspace = workspaceOf(claims) as string;
    const create = creates && isFresh(claims, seconds) ? () => toNewContact(claims) : null;
    // An externalId has no NUL.
    return { workspace, externalId: claims.sub, tagStart: `${workspace}\0`, create };
  };

  /** The claims of a token with the right signature; `null` for any other. Uses only the workspace before that. */
  function verified(token: string): Claims | null {
    const parts = token.split(".");
    const [header, claims, signature] = parts.map(decoded);
    if (parts.length !== 3 || !header || !claims || !signature) return null;
    const [{ alg, crit } = {}, read] = [objectOf(header), objectOf(claims)] as Partial<Record<string, unknown>>[];
    // An extension that the token calls critical must be understood (RFC 7515 section 4.1.11). This reader understands none.
    if (!read || alg !== "HS256" || crit !== undefined) return null;
    const tried = secretsOf.get(workspaceOf(read)) ?? [];
    const signed = token.slice(0, token.lastIndexOf("."));
    return tried.some((secret) => isSignature(signature, signed, secret)) ? read : null;
  }
}

function workspaceOf({ workspace = "default" }: Claims): unknown {
  return workspace;
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

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

/** The tracker checks the values. */
function toNewContact({ email, name }: Claims): NewContact {
  return { email, name } as NewContact;
}
