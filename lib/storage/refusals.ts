import { TrackerError } from "../model/errors.ts";
import type { Refused, Faulted } from "./rows.ts";

/** Returns the answer of a storage. Throws a fault as it is, and a refusal as a `TrackerError`. */
export function accepted<Answer extends object>(answer: Answer | Refused | Faulted): Answer {
  if ("fault" in answer) throw answer.fault;
  if ("refused" in answer) throw errorOf(answer);
  return answer;
}

/** The error that a caller gets for the refusal. */
export function errorOf({ refused: { code, ...details } }: Refused): TrackerError {
  return new TrackerError(code, details);
}

/** The refusal of a write in a workspace that is marked as deleted. */
export const workspaceDeleted: Refused = { refused: { code: "workspace_deleted" } };

/** For writes without refusals. Throws `workspace_deleted` if the workspace is marked as deleted. */
export function assertNotDeleted(isDeleted: boolean): void {
  if (isDeleted) throw errorOf(workspaceDeleted);
}
