/** The endpoint of a webhook: what the storage knows of it, and changes of that. */
import type { Scope } from "../scope.ts";
import type { WebhookRow, WebhookState } from "../storage/webhooks.ts";
import { originOf } from "./urls.ts";

export interface Endpoint {
  /** The webhook as it was last read or changed by this process. */
  row(): WebhookRow;
  /** The storage's clock, by the last read. */
  now(): number;
  /** Reads the webhook as it is stored now. `null` if it was deleted. */
  read(): Promise<WebhookRow | null>;
  /** Takes the result of another read, unless it is older. */
  renew(row: WebhookRow): void;
  /** Stores the state, unless another process has changed it since the last read. */
  put(state: WebhookState): Promise<boolean>;
  /**
   * Changes the stored state: calls `change` again if another process has changed it meanwhile. Resolves with the state, or with
   * `null` if the webhook was deleted.
   */
  change(change: (state: WebhookState, now: number) => WebhookState): Promise<WebhookState | null>;
}

export function createEndpoint({ storage, workspace, report }: Scope, given: WebhookRow): Endpoint {
  const { subscriptionId } = given;
  let row = given;
  let readAt = performance.now();
  let changing: Promise<unknown> = Promise.resolve();

  function renew(other: WebhookRow): void {
    if (other.version < row.version) return;
    row = other;
    readAt = performance.now();
  }

  async function read(): Promise<WebhookRow | null> {
    const found = await storage.findWebhook(workspace, subscriptionId);
    if (found) renew(found);
    return found;
  }

  async function put(state: WebhookState): Promise<boolean> {
    const before = row;
    const isStored = await storage.putWebhookState(workspace, subscriptionId, before.version, state);
    if (!isStored) return false;
    row = { ...row, state, version: before.version + 1 };
    const event = eventOf(before.state, state);
    if (event) report?.(new Error(`The webhook "${row.key}" (${originOf(row.url)}) ${event}`));
    return true;
  }

  async function changeOnce(change: (state: WebhookState, now: number) => WebhookState): Promise<WebhookState | null> {
    for (;;) {
      const state = change(row.state, now());
      if (state === row.state || (await put(state))) return state;
      if ((await read()) === null) return null;
    }
  }

  const now = (): number => row.now + Math.round(performance.now() - readAt);

  return {
    row: () => row,
    now,
    read,
    renew,
    put,
    change(change) {
      // One after another, because the tries of one process would only conflict.
      const changed = changing.then(() => changeOnce(change));
      changing = changed.catch(() => {});
      return changed;
    },
  };
}

/** Tells what an operator has to know of the change. */
function eventOf(before: WebhookState, after: WebhookState): string | null {
  if (before.disabledAt === null && after.disabledAt !== null) return `is disabled: ${after.disabledReason}.`;
  if (before.downSince === null && after.downSince !== null) return `is down: ${after.lastError}`;
  return null;
}
