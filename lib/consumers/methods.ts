import type { InTransaction } from "../in-transaction.ts";
import type { Backlog, ConsumeOptions, Consumed, Consumer, ParkedContact } from "../model/consumer-types.ts";
import type { ChangeOf, KeyOf } from "../model/typed.ts";
import type { Definitions, Page, PageRequest } from "../model/types.ts";

/** The methods that run handlers for the changes of a subscription. */
export interface ConsumerMethods<Connection, Defined extends Definitions> {
  /**
   * Calls the handler for each change. All consumers of a key, in any process, share its changes. The changes of one contact are
   * handled one after another, in order. The first consumer begins with the oldest kept change. Later ones go on where it ended.
   * - A handler that rejects is called again after growing pauses, while other contacts go on. After the last try the contact
   *   is parked: it waits for `retry` or `drop`. Each failure goes to `onError` of the tracker.
   * - Without `transaction`, a handler past its time, or past the lease of a process that stood still, may run beside its
   *   successor. With `transaction`, one of their two transactions is rolled back.
   * - If the subscription is not defined, or is deleted, `onError` gets one error. The consumer begins within a second of
   *   its definition.
   * - The process also logs and sweeps as `work()` does, once however many consumers it has. It sends no messages of webhooks.
   * - For a second after a contact is deleted, its changes that were taken before may still be handled.
   * - Throws `invalid_input`, and a `TypeError` without a handler.
   * @example const consumer = tracker.subscriptions.consume("mails", async (change) => sendMail(change));
   */
  consume<Key extends KeyOf<"subscriptions", Defined>>(
    key: Key,
    handler: (change: ChangeOf<Key, Defined>, context: HandlerContext) => unknown,
  ): Consumer;
  /**
   * The same with options. With `until` it resolves when all changes are handled, except changes of contacts that wait after a
   * failure. With `until` it rejects with `definition_not_found`, `changes_expired` and `storage_unavailable`.
   */
  consume<Key extends KeyOf<"subscriptions", Defined>, const Options extends ConsumeOptions>(
    key: Key,
    options: Options,
    handler: (change: ChangeOf<Key, Defined>, context: ContextOf<Options, Connection, Defined>) => unknown,
  ): Options extends { until: "caught-up" } ? Promise<Consumed> : Consumer;
  /**
   * Counts the changes that wait for consumers. `null` if no consumer has taken a change yet. Readers of `changes` do not count.
   * `definition_not_found`.
   */
  backlog(key: KeyOf<"subscriptions", Defined>): Promise<Backlog | null>;
  /** The parked contacts, in the order in which they were parked. `invalid_input`, `definition_not_found`. */
  parked(key: KeyOf<"subscriptions", Defined>, page?: PageRequest): Promise<Page<ParkedContact>>;
  /**
   * Tries the change again, with all its tries, and then the later ones of its contact. `definition_not_found`,
   * `change_not_parked`; `changes_expired` if the change is no longer kept.
   */
  retry(key: KeyOf<"subscriptions", Defined>, changeId: string): Promise<void>;
  /**
   * Leaves the change unhandled, and goes on with the contact's next kept change. `definition_not_found`, `change_not_parked`.
   */
  drop(key: KeyOf<"subscriptions", Defined>, changeId: string): Promise<void>;
  /**
   * Lets consumers go on after `changes_expired`. With `oldest` they go on with the oldest kept change that was not handled. With
   * `now` they go on with changes from now on, and no contact waits any more. With a time they go on, or back, to the changes that
   * were logged from then on. Handlers **act again** then, also those with `transaction`. Nobody waits any more, and what is handled
   * again has its old id. `invalid_input`, `definition_not_found`; `changes_expired` if some of these changes are no longer kept.
   */
  resume(
    key: KeyOf<"subscriptions", Defined>,
    options: { from: "oldest" | "now" | (string & {}) | Date },
  ): Promise<void>;
}

/**
 * The handler of a consumer. `Context` is the part of the second argument that it needs, such as `TransactionContext`.
 * @example const mail: ConsumerHandler<"mailer", typeof definitions> = ({ contact }) => send(contact.email);
 */
export type ConsumerHandler<
  Key extends KeyOf<"subscriptions", Defined>,
  Defined extends Definitions = Definitions,
  Context = HandlerContext,
> = (change: ChangeOf<Key, Defined>, context: Context) => unknown;

/** The second argument of a handler. */
export interface HandlerContext {
  /** Aborted when the handler has run too long, when its consumer is stopped, and when another has taken over. */
  signal: AbortSignal;
}

/** The second argument of a handler that runs in a transaction. Adds the methods inside it, and its connection for your own rows. */
export interface TransactionContext<Connection, Defined extends Definitions> extends HandlerContext {
  tx: InTransaction<Defined>;
  /** On MySQL a connection of mysql2/promise. On memory it can only commit and roll back. Do neither in a handler. */
  connection: Connection;
}

type ContextOf<Options extends ConsumeOptions, Connection, Defined extends Definitions> = Options extends {
  transaction: true;
}
  ? TransactionContext<Connection, Defined>
  : HandlerContext;
