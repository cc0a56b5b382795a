/** Refusals and faults, which a call may answer instead of a result, and the options of writes. */
import type { Conflict, ErrorCode, Issue } from "../model/errors.ts";

/** The result of a call that the storage refuses. Such a call has changed nothing. */
export interface Refused {
  refused: Refusal;
}

/** The reason of a refusal. The library throws it as a `TrackerError`. */
export interface Refusal {
  code: ErrorCode;
  /** Set if the code is `invalid_input`. */
  issues?: readonly Issue[];
  /** Set if the code is `email_taken`, `external_id_taken` or `ambiguous_identifier`. */
  conflict?: Conflict;
  /** Replaces the default message of the code. */
  message?: string;
}

/** The result of an item that failed with a fault. A method for a single item rejects with the fault instead. */
export interface Faulted {
  /** Most often a `TrackerError` with the code `storage_unavailable`. Then it is not known whether the item was written. */
  fault: unknown;
}

/** The handling of an item for which the storage has no room now: "refuse" by default. */
export interface WriteOptions {
  whenFull?: "wait" | "refuse" | undefined;
}

/** A write that may be kept out of the log. */
export interface Silenceable {
  /** `false` if the write causes no changes in the log; otherwise absent. */
  notify?: false;
}
