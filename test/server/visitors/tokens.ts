import { createHmac } from "node:crypto";
import { generateSecret } from "../../../server/visitors/tokens.ts";

const [first, second, ofAcme] = [generateSecret(), generateSecret(), generateSecret()];

/** Two of `default`, as while one replaces the other, and one of `acme`. */
export const secretsOfTest: Record<"default" | "acme", readonly string[]> = {
  default: [first, second],
  acme: [ofAcme],
};

/** The time in whole seconds, as in the claims of a token. */
export const inSeconds = (ahead = 0): number => Math.floor(Date.now() / 1_000) + ahead;

export const encode = (part: string | Uint8Array): string => Buffer.from(part).toString("base64url");

/** Signs the texts of a header and of claims. */
export function signTexts(header: string | Uint8Array, claims: string | Uint8Array, secret: string): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

export const headerOf: (fields?: object) => string = (fields) =>
  JSON.stringify({ alg: "HS256", typ: "JWT", ...fields });

/** The claims of a token that is valid for an hour, as JSON. */
export const claimsOf: (claims?: object) => string = (claims) =>
  JSON.stringify({ sub: "ada", iat: inSeconds(), exp: inSeconds(3_600), ...claims });

/** A valid token, signed with a secret of its workspace. */
export function sign(claims: Readonly<Record<string, unknown>> = {}, secret?: string): string {
  return signTexts(headerOf(), claimsOf(claims), secret ?? (claims["workspace"] === "acme" ? ofAcme : first));
}

export function authorizationOf(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
