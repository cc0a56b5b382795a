import { TrackerError } from "../../lib/errors.ts";
import { heldContactWaitMs } from "../../lib/limits.ts";
import type { DefinitionRow } from "../../lib/storage/rows.ts";
import { createTables, type Tables } from "./tables.ts";
import { waitForEnd, type Holder } from "./waiting.ts";

/** Where an operation works: on the shared tables, or in a transaction. */
export interface View {
  /** A workspace's tables; empty ones, not kept, where nothing was ever written. */
  tables(workspace: string): Tables;
  /** The same, kept. */
  makeTables(workspace: string): Tables;
  /** To be called before the first write: throws `Held` while a transaction elsewhere has claimed one of the names. */
  claim(workspace: string, names: () => string[]): void;
  /**
   * Runs the operation for each input in turn. An operation is synchronous, so it takes effect whole; one that meets a held
   * name begins again when the holder has ended.
   */
  run<Input, Result>(inputs: readonly Input[], operation: (view: View, input: Input) => Result): Promise<Result[]>;
}

/** Thrown by `claim`, caught by `runEach`. */
class Held extends Error {
  readonly holder: Holder;
  constructor(holder: Holder) {
    super("held by an open transaction");
    this.holder = holder;
  }
}

/** What one memory storage keeps, without its API keys. */
export interface State {
  workspaces: Map<string, Tables>;
  /** By workspace and kind, in order of `createdAt`, then id. */
  definitions: Map<string, DefinitionRow[]>;
  /** The transaction that has claimed a name, by workspace and name. */
  holders: Map<string, Holder>;
  /** The view inside each transaction that was begun. */
  transactions: WeakMap<object, View>;
  /** Gives up each transaction that is open. */
  open: Set<() => void>;
  closed: boolean;
}

export function assertNotClosed({ closed }: State): void {
  if (closed) throw new TrackerError("storage_unavailable");
}

export function createSharedView(state: State): View {
  const { workspaces, holders } = state;
  const view: View = {
    tables: (workspace) => workspaces.get(workspace) ?? createTables(),
    makeTables: (workspace) => makeTables(state, workspace),
    claim(workspace, names) {
      if (holders.size > 0) assertFree(state, workspace, names(), null);
    },
    run: (inputs, operation) => runEach(state, view, null, inputs, operation),
  };
  return view;
}

export function makeTables({ workspaces }: State, workspace: string): Tables {
  const tables = workspaces.get(workspace) ?? createTables();
  workspaces.set(workspace, tables);
  return tables;
}

export function nameIn(workspace: string, name: string): string {
  return `${workspace} ${name}`;
}

/** Throws `Held` when another than `self` holds one of the names. */
export function assertFree({ holders }: State, workspace: string, names: string[], self: Holder | null): void {
  for (const name of names) {
    const holder = holders.get(nameIn(workspace, name));
    if (holder && holder !== self) throw new Held(holder);
  }
}

export async function runEach<Input, Result>(
  state: State,
  view: View,
  self: Holder | null,
  inputs: readonly Input[],
  operation: (view: View, input: Input) => Result,
): Promise<Result[]> {
  assertNotClosed(state);
  const results: Result[] = [];
  let remaining = inputs;
  let deadline: number | undefined;
  while (results.length < remaining.length) {
    try {
      results.push(operation(view, remaining[results.length]!));
    } catch (error) {
      if (!(error instanceof Held)) throw error;
      // Until here nothing was awaited: from here on the caller may change its inputs.
      if (remaining === inputs) remaining = structuredClone(inputs);
      deadline ??= performance.now() + heldContactWaitMs;
      await waitForEnd(error.holder, self, deadline);
      assertNotClosed(state);
    }
  }
  return results;
}
