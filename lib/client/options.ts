/** Reads the options of the client's methods. Refuses what the server does not see, as a tracker would. */
import { idempotencyKeyProblem } from "../model/idempotency-keys.ts";
import { invalid, toObject, wrongType } from "./encoding.ts";

/** The key of the options, which must be valid, or a new one. */
export function keyToSend(options: unknown): { key: string; isNew: boolean } {
  const { idempotencyKey: key, ...others } = toObject(options);
  refuseOthers(others);
  if (key === undefined) return { key: crypto.randomUUID(), isNew: true };
  const problem = idempotencyKeyProblem(key);
  if (problem !== null) throw invalid("idempotencyKey", problem);
  return { key: key as string, isNew: false };
}

/** The flag of the options, which must be valid. */
export function flagOf(options: unknown, flag: string): boolean | undefined {
  const { [flag]: value, ...others } = toObject(options);
  refuseOthers(others);
  if (value !== undefined && typeof value !== "boolean") throw wrongType(flag, value);
  return value;
}

/** The cursor of the options, which the server validates, and the signal. */
export function changesOptions(options: unknown): { after: unknown; signal: AbortSignal | undefined } {
  const { after, signal, ...others } = toObject(options);
  refuseOthers(others);
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrongType("signal", signal);
  return { after, signal };
}

function refuseOthers(others: Record<string, unknown>): void {
  for (const name of Object.keys(others)) if (others[name] !== undefined) throw invalid(name, "unknown_field");
}
