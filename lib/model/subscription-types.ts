/**
 * Selects changes to be logged for readers. Defining the same key again replaces `on` and `keepDays`; cursors stay valid. A key
 * that was deleted and is defined again begins anew.
 */
export interface SubscriptionDefinition<EventKey extends string = string> {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  on: SubscribedTopics<EventKey>;
  /** How many days a change is kept: 1 to 90; 7 by default. The log keeps a change for the longest time of its workspace. */
  keepDays?: number | undefined;
}

/** The topics of a subscription, of which at least one is set. */
export interface SubscribedTopics<EventKey extends string = string> {
  /** The recorded events: `true` for all, or 1 to 1,000 event keys. */
  events?: true | readonly EventKey[] | undefined;
  /** The contacts that are created, updated and deleted. */
  contacts?: true | undefined;
  /** The items and checklists that contacts complete. */
  checklists?: true | undefined;
}

/** A subscription in the answer of `subscriptions.list`. */
export interface Subscription extends SubscriptionDefinition {
  keepDays: number;
}

/** The result of `subscriptions.define`. */
export interface DefinedSubscription extends Subscription {
  /**
   * ISO 8601, by the storage's clock. Every change of a call that began after this time is in the subscription. A change of an
   * earlier call may be.
   */
  startsAt: string;
}
