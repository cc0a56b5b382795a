import { TrackerError } from "../../lib/model/errors.ts";
import type { DefinitionOf, DefinitionRow, Faulted, SecretRow, WebhookState } from "../../lib/storage/rows.ts";
import type { Positions } from "./changes/index.ts";
import { createTables, type SharedTables, type Tables } from "./tables.ts";
import { createRunItems } from "./items.ts";
import { Locked, runWhenFree, type Holder } from "./locks.ts";

/** The tables that an operation works on: the shared ones, or those of a transaction. */
export interface View {
  /** The tables of a workspace. For an unknown workspace they are empty and not kept. */
  tables(workspace: string): Tables;
  /** Like `tables`, but keeps the tables of a new workspace. */
  makeTables(workspace: string): Tables;
  /** Locks the names; must be called before the first write. Throws `Locked` if another transaction has locked one of them. */
  claim(workspace: string, names: () => string[]): void;
  /**
   * Runs the operation for each input in turn. Operations are synchronous, so no other call sees a part of one. An operation
   * that meets a locked name starts again when the transaction that holds it has ended.
   */
  run<Input, Result>(inputs: readonly Input[], operation: (view: View, input: Input) => Result): Promise<Result[]>;
  /** Like `run`, for the items of an array. Outside of a transaction each item has a result of its own. */
  runItems<Item, Result>(
    items: readonly Item[],
    operation: (view: View, item: Item) => Result,
    namesOf: (item: Item) => readonly string[],
  ): Promise<(Result | Faulted)[]>;
}

/** The parts of a webhook that are stored beside its definition. */
export interface StoredWebhook {
  state: WebhookState;
  version: number;
  secrets: readonly SecretRow[];
}

/** The data of one memory storage, without its API keys. */
export interface State {
  workspaces: Map<string, SharedTables>;
  positions: Positions;
  /** By workspace, then by kind; the rows in order of `createdAt`, then id. */
  definitions: Map<string, Partial<Record<DefinitionRow["kind"], DefinitionRow[]>>>;
  /** By the id of the subscription. */
  webhooks: Map<string, StoredWebhook>;
  /** By workspace: the earliest time for which it keeps events. */
  prunedBefore: Map<string, number>;
  /** The time at which the deletion of a workspace began, by workspace. */
  deletedAt: Map<string, number>;
  /** The transaction that has locked a name, by workspace and name. */
  holders: Map<string, Holder>;
  /** The view of each transaction. */
  transactions: WeakMap<object, View>;
  /** One function per open transaction, which ends it. Called when the storage is closed. */
  open: Set<() => void>;
  closed: boolean;
}

export function assertNotClosed({ closed }: State): void {
  if (closed) throw new TrackerError("storage_unavailable");
}

export function createSharedView(state: State): View {
  const { workspaces, positions, holders } = state;
  // A workspace with definitions has tables.
  const unknown = (): Tables => createTables(() => [], positions);
  const assertOpen = (): void => assertNotClosed(state);
  const runItems = createRunItems(assertOpen);
  const view: View = {
    tables: (workspace) => workspaces.get(workspace) ?? unknown(),
    makeTables: (workspace) => makeTables(state, workspace),
    claim(workspace, names) {
      if (holders.size > 0) assertFree(state, workspace, names(), null);
    },
    run: (inputs, operation) => runWhenFree(null, inputs, (input) => operation(view, input), assertOpen),
    runItems: (items, operation, namesOf) => runItems(items, (item) => operation(view, item), namesOf),
  };
  return view;
}

export function makeTables(state: State, workspace: string): SharedTables {
  const { workspaces, positions } = state;
  const tables = workspaces.get(workspace) ?? createTables((kind) => definitionsOf(state, workspace, kind), positions);
  workspaces.set(workspace, tables);
  return tables;
}

/** Returns the stored rows in order, frozen instead of copied. Every event reads them, and copying would be its largest cost. */
export function definitionsOf<Kind extends DefinitionRow["kind"]>(
  { definitions }: State,
  workspace: string,
  kind: Kind,
): DefinitionOf<Kind>[] {
  return (definitions.get(workspace)?.[kind] ?? []) as DefinitionOf<Kind>[];
}

export function nameIn(workspace: string, name: string): string {
  return `${workspace} ${name}`;
}

/** Throws `Locked` if a transaction other than `self` has locked one of the names. */
export function assertFree({ holders }: State, workspace: string, names: string[], self: Holder | null): void {
  for (const name of names) {
    const holder = holders.get(nameIn(workspace, name));
    if (holder && holder !== self) throw new Locked(holder);
  }
}

export async function runOne<Input, Result>(
  view: View,
  input: Input,
  operation: (view: View, input: Input) => Result,
): Promise<Result> {
  const [result] = await view.run([input], operation);
  // One input has one result.
  return result!;
}
