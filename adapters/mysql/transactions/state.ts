import type { CheckedExecutor } from "../connection/index.ts";

/** The state of an executor, shared by all runners on it. */
export interface State {
  lastCall: Promise<unknown>;
  /** Whether the call that runs has written. */
  hasWritten: boolean;
  /** Whether the transaction was lost, and no newer one has been seen on the executor. */
  lost: boolean;
  /** Whether the executor has only one transaction, so that every call after its loss is refused. */
  isManaged: boolean;
  /** Whether no further call is accepted, because the transaction is about to end. */
  ending: boolean;
  /** The workspaces of the changes that were written. Includes those of a call that was rolled back. */
  announced: Set<string>;
}

const states = new WeakMap<CheckedExecutor, State>();

export function stateOf(executor: CheckedExecutor): State {
  const state = states.get(executor) ?? {
    lastCall: Promise.resolve(),
    hasWritten: false,
    lost: false,
    isManaged: false,
    ending: false,
    announced: new Set<string>(),
  };
  states.set(executor, state);
  return state;
}
