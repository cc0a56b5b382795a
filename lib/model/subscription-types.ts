/**
 * Selects changes to be logged for readers. Defining the same key again replaces all other fields; cursors stay valid. A key that
 * was deleted and is defined again begins anew.
 */
export interface SubscriptionDefinition<EventKey extends string = string, AudienceKey extends string = string> {
  /** `[A-Za-z][A-Za-z0-9_]*`, at most 100 bytes. */
  key: string;
  on: SubscribedTopics<EventKey, AudienceKey>;
  /** How many days a change is kept: 1 to 90; 7 by default. The log keeps a change for the longest `keepDays` of its workspace. */
  keepDays?: number | undefined;
  /**
   * `announce` lets the first pass over all contacts announce those who are in the audiences already, once for each audience until
   * the subscription is deleted. Needs `on.audiences`. By default only those who enter later are announced. Set later,
   * it also announces those whose entry was read. Setting or removing it drops the entries and exits that were not read.
   */
  current?: "announce" | undefined;
  /**
   * Makes the subscription a webhook: its changes are sent to this URL as signed messages. `https`, port 443 or above 1023, at most
   * 2,048 bytes; all addresses of the host are public, at each connection. Cannot be added or removed later; changed, it keeps position and secrets. Nobody can
   * `consume` the key. `keepDays` is then at least 6. Path and query are shown to the access `admin` alone.
   */
  url?: string | undefined;
  /** For how many contacts messages are sent at a time: 1 to 64; 10 by default. Needs `url`. */
  concurrency?: number | undefined;
}

/** The topics of a subscription, of which at least one is set. */
export interface SubscribedTopics<EventKey extends string = string, AudienceKey extends string = string> {
  /** The recorded events: `true` for all, or 1 to 1,000 event keys. */
  events?: true | readonly EventKey[] | undefined;
  /** The contacts that are created, updated and deleted. */
  contacts?: true | undefined;
  /** The items and checklists that contacts complete. */
  checklists?: true | undefined;
  /** The contacts that enter and leave these audiences: 1 to 100 keys of audiences that are defined. */
  audiences?: readonly AudienceKey[] | undefined;
}

/** A stored subscription. A webhook has its `url` and `concurrency`. */
export interface Subscription extends SubscriptionDefinition {
  keepDays: number;
}

/** A subscription in the answer of `subscriptions.list`. */
export interface ListedSubscription extends Subscription {
  /**
   * When the first pass over all contacts had reached the last of them, for every audience of the subscription. ISO 8601, by the
   * storage's clock; `null` before. Absent if the subscription names no audiences.
   */
  readyAt?: string | null;
}

/** The result of `subscriptions.define`. */
export interface DefinedSubscription extends Subscription {
  /**
   * 5 s after the definition; ISO 8601, by the storage's clock. Every change of a call that began after this time is in the subscription,
   * a change of an earlier call may be. Entries into audiences may come with the next sweep instead.
   */
  startsAt: string;
}
