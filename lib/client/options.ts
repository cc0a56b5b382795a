/** Reads the options of the client's methods. Refuses invalid options that are not sent to the server, as a tracker would. */
import { idempotencyKeyProblem } from "../model/idempotency-keys.ts";
import { invalid, toObject, wrongType } from "./encoding.ts";

/** Returns the idempotency key in the options, or a new one. Throws `invalid_input` for an invalid key. */
export function keyToSend(options: unknown): { key: string; isNew: boolean } {
  const { idempotencyKey: key, ...others } = toObject(options);
  refuseOthers(others);
  if (key === undefined) return { key: crypto.randomUUID(), isNew: true };
  const problem = idempotencyKeyProblem(key);
  if (problem !== null) throw invalid("idempotencyKey", problem);
  return { key: key as string, isNew: false };
}

/** Returns the only option that the options may contain. Throws `invalid_input` if it is not a boolean. */
export function flagOf(options: unknown, flag: string): boolean | undefined {
  const { [flag]: value, ...others } = toObject(options);
  refuseOthers(others);
  if (value !== undefined && typeof value !== "boolean") throw wrongType(flag, value);
  return value;
}

/** Returns the cursor and the signal in the options. The server validates the cursor. */
export function changesOptions(options: unknown): { after: unknown; signal: AbortSignal | undefined } {
  const { after, signal, ...others } = toObject(options);
  refuseOthers(others);
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrongType("signal", signal);
  return { after, signal };
}

function refuseOthers(others: Record<string, unknown>): void {
  for (const name of Object.keys(others)) if (others[name] !== undefined) throw invalid(name, "unknown_field");
}
