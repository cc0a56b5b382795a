import { hash } from "node:crypto";
import { idempotencyKeyMaxCharacters } from "../../lib/model/limits.ts";
import type { Row } from "./rows.ts";

const prefix = "import:";

/**
 * The idempotency key of an imported event, so that a second run does not record the event again. It is made of the event's own
 * id, else of SHA-256 of the source's name, the row's number and its text.
 */
export function eventKeyOf(id: unknown, source: string, { number, text }: Row): string {
  const own = typeof id === "string" || typeof id === "number" ? String(id) : "";
  if (own === "") return prefix + hash("sha256", `${source}\n${number}\n${text}`, "hex");
  const key = prefix + own;
  const isValid = key.length <= idempotencyKeyMaxCharacters && /^[!-~]+$/.test(key);
  return isValid ? key : prefix + hash("sha256", own, "hex");
}
