import type { Consumer } from "./model/consumer-types.ts";
import type { Storage } from "./storage/port.ts";
import type { WriteOptions } from "./storage/rows.ts";
import type { AllowedHosts } from "./webhooks/urls.ts";

/** The storage, workspace and clock that a domain function works with. */
export interface Scope<Connection = unknown> {
  storage: Storage<Connection>;
  workspace: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Whether to refuse events whose key has no event type; `false` if absent. */
  refusesUndefinedEvents?: boolean;
  /** The ids of deleted attributes that contacts or changes still have values of. If absent, none are remembered. */
  deletedAttributeIds?: Set<string>;
  /** The hosts that webhooks may have anyway. */
  webhookHosts?: AllowedHosts;
  /** Whether a write waits or is refused while the storage has no room for it. */
  whenFull?: WriteOptions["whenFull"];
  /** Aborted when the tracker is closed. */
  closed?: AbortSignal;
  /** Receives an error that no caller gets. */
  report?(error: unknown): void;
  /** The consumers and the work that run. Each is stopped before the storage is closed. */
  running?: Set<Pick<Consumer, "stop">>;
}
