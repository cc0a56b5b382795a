import { TrackerError } from "./errors.ts";
import type { Refused } from "./storage/rows.ts";

/** What a storage answered. Throws the `TrackerError` that a refusal stands for. */
export function accepted<Answer extends object>(answer: Answer | Refused): Answer {
  if ("refused" in answer) throw errorOf(answer);
  return answer;
}

/** The error that a caller gets for the refusal. */
export function errorOf({ refused: { code, ...details } }: Refused): TrackerError {
  return new TrackerError(code, details);
}
