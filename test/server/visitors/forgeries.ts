import { createHmac } from "node:crypto";
import { claimsOf, encode, headerOf, inSeconds, secretsOfTest, sign, signTexts } from "./tokens.ts";

/** Values of one claim that make a token forged, though it is signed. */
const wrongClaims: Readonly<Record<string, readonly unknown[]>> = {
  sub: [undefined, null, 1, ["ada"], " ", "ada ", "ada\0", "\ud800", "x".repeat(256)],
  exp: [undefined, null, "9", [inSeconds(60)], true, inSeconds(-70), Date.now(), inSeconds(24 * 3_600 + 600)],
  nbf: [null, "0", inSeconds(600)],
  iat: [null, "0"],
  workspace: [null, ["default"], "DEFAULT", "", "other", "constructor"],
};
const wrongAlgorithms = [
  ..."none None nOnE hs256 HS384 HS512 RS256 ES256".split(" "),
  "HS256 ",
  null,
  ["HS256"],
  undefined,
];

/** Tokens of which each has one fault, by name. */
export function forgeries(): Record<string, string> {
  const secret = secretsOfTest.default[0]!;
  const withHeader = (header: string): string => signTexts(header, claimsOf(), secret);
  const withClaims = (claims: string | Uint8Array): string => signTexts(headerOf(), claims, secret);
  const withMembers = (text: string): string => withClaims(`{"sub":"ada","exp":${inSeconds(60)},${text}}`);
  const right = sign();
  const [header = "", claims = "", signature = ""] = right.split(".");
  const signed = `${header}.${claims}`;
  const bytes = Buffer.from(signature, "base64url");
  const hmac = (algorithm: string, key: string | Uint8Array, text = signed): string =>
    `${text}.${createHmac(algorithm, key).update(text).digest("base64url")}`;
  const none = `${encode('{"alg":"none"}')}.${claims}`;
  const padded = `${header}.${encode([0, 1].map((n) => claimsOf({ n: 10 ** n })).find(({ length }) => length % 3)!)}=`;
  // With as many tokens, one has a character that base64 spells otherwise.
  const many = Array.from({ length: 9 }, (_, n) => sign({ n }));
  const inBase64 = many
    .find((token) => /[-_]/.test(token))!
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const wrong: Record<string, string> = {
    "alg none, no signature": `${none}.`,
    "crit exp": withHeader(headerOf({ crit: ["exp"] })),
    "crit empty": withHeader(headerOf({ crit: [] })),
    "crit null": withHeader(headerOf({ crit: null })),
    "alg twice": withHeader('{"alg":"none","alg":"HS256"}'),
    "alg twice, once escaped": withHeader('{"alg":"HS256","\\u0061lg":"HS256"}'),
    "a header with a member twice inside": withHeader('{"alg":"HS256","jwk":{"k":1,"k":1}}'),
    "a signature with padding": `${right}=`,
    // The last character of 32 bytes has two bits that mean nothing.
    "a signature in other spelling": right.slice(0, -1) + String.fromCharCode(right.charCodeAt(right.length - 1) + 1),
    "claims with padding": hmac("sha256", secret, padded),
    "base64 with + and /": inBase64,
    "a space inside": right.replace(".", " ."),
    "no signature": `${signed}.`,
    "two signatures": `${right}.${signature}`,
    "a fourth part that signs three": hmac("sha256", secret, right),
    "an empty fourth part": `${right}.`,
    "JSON serialization": encode(JSON.stringify({ payload: claims, signatures: [{ protected: header, signature }] })),
    "a signature of 31 bytes": `${signed}.${encode(bytes.subarray(0, 31))}`,
    "a signature of 33 bytes": `${signed}.${encode(Buffer.concat([bytes, bytes.subarray(0, 1)]))}`,
    "a signature of zeros": `${signed}.${encode(new Uint8Array(32))}`,
    "a signature of other claims": `${header}.${encode(claimsOf({ sub: "eve" }))}.${signature}`,
    "a signature of another header": `${encode(headerOf({ kid: "1" }))}.${claims}.${signature}`,
    "no secret": hmac("sha256", ""),
    HS384: hmac("sha384", secret, `${encode(headerOf({ alg: "HS384" }))}.${claims}`),
    "HS512 under HS256": hmac("sha512", secret),
    "another secret": sign(
      {},
      secret.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ),
    "a secret without vs_": sign({}, secret.slice(3)),
    "a secret's bytes": hmac("sha256", Buffer.from(secret.slice(3), "base64url")),
    "an API key as the secret": sign({}, `sk_${secret.slice(3)}`),
    "the secret of another workspace": sign({}, secretsOfTest.acme[0]),
    "another workspace with the secret of this": sign({ workspace: "acme" }, secret),
    "claims with a byte order mark": withClaims(`\ufeff${claimsOf()}`),
    "claims that are not UTF-8": withClaims(Buffer.from(claimsOf({ name: "é" }), "latin1")),
    "claims as deep as can be": withMembers(`"a":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    "sub twice": withMembers('"sub":"bob"'),
    "exp twice": withMembers(`"exp":${inSeconds(60)}`),
    "another claim twice": withMembers('"x":{"y":":"},"x":1'),
    "exp without end": withClaims('{"sub":"ada","exp":1e999}'),
    "nbf without end": withMembers('"nbf":-1e999'),
    "iat without end": withMembers('"iat":1e999'),
  };
  for (const text of ["[]", "null", "1", '"HS256"', "", "{'alg':'HS256'}"]) {
    wrong[`header ${text}`] = withHeader(text);
    wrong[`claims ${text}`] = withClaims(text);
  }
  wrong["claims in a list"] = withClaims(`[${claimsOf()}]`);
  wrong["claims after claims"] = withClaims(claimsOf() + claimsOf());
  for (const [claim, values] of Object.entries(wrongClaims))
    for (const value of values) wrong[`${claim} ${JSON.stringify(value)}`] = sign({ [claim]: value }, secret);
  for (const alg of wrongAlgorithms)
    wrong[`alg ${JSON.stringify(alg)}`] = hmac("sha256", secret, `${encode(headerOf({ alg }))}.${claims}`);
  return wrong;
}
