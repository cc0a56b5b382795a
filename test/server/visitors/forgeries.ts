import { createHmac } from "node:crypto";
import { claimsOf, encode, headerOf, inSeconds, secretsOfTest, sign, signTexts } from "./tokens.ts";

/** Tokens of which each has one fault, by name. */
export function forgeries(): Record<string, string> {
  const secret = secretsOfTest.default[0]!;
  const acmes = secretsOfTest.acme[0]!;
  const withHeader = (header: string): string => signTexts(header, claimsOf(), secret);
  const withClaims = (claims: string | Uint8Array): string => signTexts(headerOf(), claims, secret);
  const raw = (fields: string): string => withClaims(`{"sub":"ada","exp":${inSeconds(60)}${fields}}`);
  const right = sign();
  const [header = "", claims = "", signature = ""] = right.split(".");
  const signed = `${header}.${claims}`;
  const hmac = (algorithm: string, key: string | Uint8Array = secret, text = signed): string =>
    createHmac(algorithm, key).update(text).digest("base64url");
  const withAlg = (alg: unknown, algorithm = "sha256"): string => {
    const other = `${encode(headerOf({ alg }))}.${claims}`;
    return `${other}.${hmac(algorithm, secret, other)}`;
  };
  const none = `${encode('{"alg":"none"}')}.${claims}`;
  /** The last character of 32 bytes has two bits that mean nothing. */
  const otherEnd = `${right.slice(0, -1)}${String.fromCharCode(right.charCodeAt(right.length - 1) + 1)}`;
  // With as many tokens, one has a character that differs.
  const many = Array.from({ length: 9 }, (_, n) => sign({ n }));
  const inBase64 = many
    .find((token) => /[-_]/.test(token))!
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const unpadded = [0, 1].map((n) => claimsOf({ pad: "x".repeat(n) })).find(({ length }) => length % 3 > 0)!;
  const long = `${encode(headerOf())}.${encode(unpadded)}=`;
  return {
    "alg none, no signature": `${none}.`,
    "alg none, two parts": none,
    "alg none, signed": `${none}.${hmac("sha256", secret, none)}`,
    "alg None": withAlg("None"),
    "alg nOnE": withAlg("nOnE"),
    "alg in lower case": withAlg("hs256"),
    "alg HS384": withAlg("HS384", "sha384"),
    "alg HS384, signed by HS256": withAlg("HS384"),
    "alg HS512": withAlg("HS512", "sha512"),
    "alg RS256": withAlg("RS256"),
    "alg ES256": withAlg("ES256"),
    "alg null": withAlg(null),
    "alg in a list": withAlg(["HS256"]),
    "alg with a space": withAlg("HS256 "),
    "no alg": withHeader('{"typ":"JWT"}'),
    "a header that is a list": withHeader('["HS256"]'),
    "a header that is null": withHeader("null"),
    "a header that is a text": withHeader('"HS256"'),
    "a header that is no JSON": withHeader("{'alg':'HS256'}"),
    "an empty header": withHeader(""),
    "crit exp": withHeader(headerOf({ crit: ["exp"] })),
    "crit empty": withHeader(headerOf({ crit: [] })),
    "crit null": withHeader(headerOf({ crit: null })),
    "alg twice": withHeader('{"alg":"none","alg":"HS256"}'),
    "alg twice, once escaped": withHeader('{"alg":"HS256","\\u0061lg":"HS256"}'),
    "a header with a member twice inside": withHeader('{"alg":"HS256","jwk":{"k":1,"k":1}}'),
    "a signature with padding": `${right}=`,
    "a signature in other spelling": otherEnd,
    "claims with padding": `${long}.${hmac("sha256", secret, long)}`,
    "base64 with + and /": inBase64,
    "a space inside": right.replace(".", " ."),
    "no signature": `${signed}.`,
    "two parts": signed,
    "two signatures": `${right}.${signature}`,
    "an empty fourth part": `${right}.`,
    "a leading dot": `.${right}`,
    "no part at all": "..",
    "JSON serialization": encode(JSON.stringify({ payload: claims, signatures: [{ protected: header, signature }] })),
    "a signature of 31 bytes": `${signed}.${Buffer.from(signature, "base64url").subarray(0, 31).toString("base64url")}`,
    "a signature of 33 bytes": `${right}AA`.slice(0, -1),
    "a signature of zeros": `${signed}.${encode(new Uint8Array(32))}`,
    "a signature in hexadecimal": `${signed}.${Buffer.from(signature, "base64url").toString("hex")}`,
    "a signature of other claims": `${header}.${encode(claimsOf({ sub: "eve" }))}.${signature}`,
    "a signature of another header": `${encode(headerOf({ kid: "1" }))}.${claims}.${signature}`,
    "SHA-256 without a secret": `${signed}.${hmac("sha256", "")}`,
    HS1: `${signed}.${hmac("sha1")}`,
    "HS512 under HS256": `${signed}.${hmac("sha512")}`,
    "another secret": sign(
      {},
      secret.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ),
    "a secret without vs_": sign({}, secret.slice(3)),
    "a secret's bytes": `${signed}.${hmac("sha256", Buffer.from(secret.slice(3), "base64url"))}`,
    "an API key as the secret": sign({}, `sk_${secret.slice(3)}`),
    "the secret of another workspace": sign({}, acmes),
    "another workspace with the secret of this": sign({ workspace: "acme" }, secret),
    "an unknown workspace": sign({ workspace: "other" }),
    "a workspace __proto__": sign({ ["__proto__"]: 1, workspace: "__proto__" }),
    "a workspace null": sign({ workspace: null }),
    "a workspace in a list": sign({ workspace: ["default"] }),
    "a workspace in upper case": sign({ workspace: "DEFAULT" }),
    "claims in a list": withClaims(`[${claimsOf()}]`),
    "claims null": withClaims("null"),
    "claims that are a number": withClaims("1"),
    "empty claims": withClaims(""),
    "claims with a byte order mark": withClaims(`\ufeff${claimsOf()}`),
    "claims that are not UTF-8": withClaims(Buffer.from(claimsOf({ name: "é" }), "latin1")),
    "claims after claims": withClaims(claimsOf() + claimsOf()),
    "as deep as can be": raw(`,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}`),
    "sub twice": raw(',"sub":"bob"'),
    "sub twice, once escaped": raw(',"s\\u0075b":"ada"'),
    "exp twice": raw(`,"exp":${inSeconds(60)}`),
    "workspace twice": raw(',"workspace":"default","workspace":"default"'),
    "another claim twice": raw(',"x":{"y":":"},"x":1'),
    "no sub": sign({ sub: undefined }),
    "sub null": sign({ sub: null }),
    "sub a number": sign({ sub: 1 }),
    "sub in a list": sign({ sub: ["ada"] }),
    "sub blank": sign({ sub: " " }),
    "sub with a space at its end": sign({ sub: "ada " }),
    "sub with NUL": sign({ sub: "ada\0" }),
    "sub a lone surrogate": sign({ sub: "\ud800" }),
    "sub too long": sign({ sub: "x".repeat(256) }),
    "no exp": sign({ exp: undefined }),
    "exp null": sign({ exp: null }),
    "exp a text": sign({ exp: String(inSeconds(60)) }),
    "exp in a list": sign({ exp: [inSeconds(60)] }),
    "exp true": sign({ exp: true }),
    "exp over": sign({ exp: inSeconds(-70) }),
    "exp in milliseconds": sign({ exp: Date.now() + 60_000 }),
    "exp too far": sign({ exp: inSeconds(24 * 3_600 + 70) }),
    "exp without end": withClaims('{"sub":"ada","exp":1e999}'),
    "exp without end, negative": withClaims('{"sub":"ada","exp":-1e999}'),
    "nbf to come": sign({ nbf: inSeconds(70) }),
    "nbf null": sign({ nbf: null }),
    "nbf a text": sign({ nbf: "0" }),
    "nbf without end": raw(',"nbf":-1e999'),
    "iat a text": sign({ iat: "0" }),
    "iat null": sign({ iat: null }),
    "iat without end": raw(',"iat":1e999'),
  };
}
