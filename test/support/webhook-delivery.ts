import { memoryStorage, type MemoryStorage } from "../../adapters/memory/index.ts";
import { createTracker, type Change, type Tracker } from "../../lib/index.ts";
import type { Scope } from "../../lib/scope.ts";
import { deliver, type Deliveries, type Seams } from "../../lib/webhooks/deliveries.ts";
import { readAllowedHosts } from "../../lib/webhooks/urls.ts";
import { startReceiver, type Answer, type Receiver } from "./webhook-receiver.ts";
import { until } from "./within.ts";

export const key = "partner";

/** A webhook to a receiver, with one secret, and its deliveries. */
export interface Delivering {
  tracker: Tracker;
  storage: MemoryStorage;
  scope: Scope;
  receiver: Receiver;
  errors: string[];
  deliveries: Deliveries;
  /** Resolves when the receiver has got so many messages. */
  got(count: number): Promise<void>;
}

/** Runs the test beside deliveries whose pauses are a thousandth. */
export async function delivering(
  answer: Answer,
  run: (on: Delivering) => Promise<void>,
  seams: Seams = {},
): Promise<void> {
  const receiver = await startReceiver(answer);
  const storage = memoryStorage();
  const errors: string[] = [];
  const report = (error: unknown): void => void errors.push(String(error));
  const tracker = createTracker({ storage, webhookAllow: [receiver.host], onError: report });
  await tracker.subscriptions.define({ key, on: { events: true, contacts: true }, url: `${receiver.url}?token=t` });
  receiver.trust((await tracker.subscriptions.createSecret(key)).secret);
  const webhookHosts = readAllowedHosts([receiver.host])!;
  const scope = { storage, workspace: "default", now: Date.now, webhookHosts, report };
  const deliveries = deliver(scope, { pace: 0.001, ...seams });
  const got = (count: number): Promise<void> => until(() => receiver.received.length >= count);
  try {
    await run({ tracker, storage, scope, receiver, errors, deliveries, got });
  } finally {
    await deliveries.stop();
    await tracker.close();
    await receiver.close();
  }
}

/** The event key of an event, and the kind of another change. */
export const nameOf = (change: Change): string =>
  change.kind === "event_recorded" ? change.event.eventKey : change.kind;

/** Creates a contact, and records its events. */
export async function track(tracker: Tracker, externalId: string, ...eventKeys: string[]): Promise<void> {
  await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
  for (const eventKey of eventKeys) await tracker.events.track({ externalId, eventKey });
}
