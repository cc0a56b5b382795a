import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs a text. The text begins with the name of its kind, so that its signature is not valid for another kind. */
export function sign(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

export function isSigned(key: Uint8Array, text: string, signature: string): boolean {
  // Do not compute a signature to compare with a text of another length.
  if (signature.length !== 43) return false;
  const [given, right] = [signature, sign(key, text)].map((value) => Buffer.from(value));
  return given!.length === right!.length && timingSafeEqual(given!, right!);
}
