/**
 * The storage port. The prose says what TypeScript cannot. The storage contract (`whodid/storage-contract`) has a test for
 * every sentence, and every storage passes it unchanged.
 *
 * For all methods:
 * - The input is valid. A storage copies its input and returns copies: a caller can change both later.
 * - The input contains the ids and times, made by the library. Times are whole milliseconds since the Unix epoch.
 * - Text is kept code point for code point: case, accents, trailing spaces, `%`, `_`, backslashes and NUL included. Two texts
 *   are equal if their UTF-8 bytes are equal.
 * - A call for one workspace never reads, counts or changes data of another.
 * - A write resolves only after its result is durable. This includes rows that it found and did not change. A refusal changes
 *   nothing and is a result, `{ refused }`. A fault rejects.
 * - A write of contacts, events or completions by hand writes its changes in its own transaction (`changesOfContact`,
 *   `changeOfDeletion`, `changesOfEvent`, `changesOfCompletion`). It writes those that a subscription of the workspace takes
 *   (`isTaken`), and no others. Without a commit there are none. `notify: false` writes none. A change never refuses its write.
 * - If several calls run at once, each of their items takes effect completely, as if the items ran one after another.
 *
 * For the lists that take a `PageSize`: the result is a page, `{ rows, more }`. It ends before a row with which it would have more
 * than `limit` rows, or more than `maxBytes`. If there are rows, it has at least one. A storage may end it earlier, where much
 * larger rows begin. `more` is `true` if and only if others follow.
 *
 * For `upsertContacts` and `recordEvents`, which take arrays:
 * - The results have the order of the items. Each item has a result of its own: a refusal or a fault of one does not affect
 *   the others. Inside a transaction a fault rejects the call, and none of its items is written.
 * - Items take effect in input order. An item that waits for the end of a transaction blocks only items that have a
 *   name in common with it (`namesOfEvent`, `namesOfContact`). These take effect after it, in this call and in later ones.
 * - The 5 s that an item waits for a transaction (`within`) begin with its first try.
 * - A storage may refuse an item with `storage_unavailable` if it has no room. With `whenFull: "wait"` the item waits for room.
 */
import type { Transaction } from "../model/types.ts";
import type { ApiKeyStorage } from "./api-keys.ts";
import type { AudienceStorage } from "./audiences.ts";
import type { ChangeStorage } from "./changes.ts";
import type { ChecklistStorage } from "./checklists.ts";
import type { ConsumerStorage } from "./consumers.ts";
import type { ContactStorage } from "./contacts.ts";
import type { DefinitionStorage } from "./definitions.ts";
import type { EventStorage } from "./events.ts";
import type { WatchStorage } from "./watches.ts";
import type { WebhookStorage } from "./webhooks.ts";
import type { WorkspaceStorage } from "./workspaces.ts";

/**
 * Stores all data of a tracker. `Connection` is that of `transaction`, for the caller's own statements.
 */
export interface Storage<Connection = unknown>
  extends
    ContactStorage,
    EventStorage,
    DefinitionStorage,
    AudienceStorage,
    ChecklistStorage,
    WatchStorage,
    ChangeStorage,
    ConsumerStorage,
    WebhookStorage,
    ApiKeyStorage,
    WorkspaceStorage {
  /**
   * The same storage inside a transaction that the caller begins and ends. The methods for contacts, events, completions
   * by hand and dismissals, and `acknowledge`, run inside it; the others run outside. A write is visible inside at once, outside after the commit, nowhere
   * after a rollback. Before the commit, a created contact exists only inside. A call inside that rejects writes nothing.
   * A write outside waits for the end of the transaction if a call inside tried to write the same contact, refused or not. It
   * also waits if it needs an email, externalId or idempotency hash that a call inside tried to take. After 5 s it rejects with
   * `storage_unavailable`. Other writes and all reads do not wait.
   * After the end, every call inside rejects with `transaction_required`. If two transactions wait for each other, one of
   * them rejects at once with `transaction_lost`; nothing of it is written, and it accepts no further call.
   */
  within(transaction: Transaction): Storage;

  /**
   * Begins a transaction, calls `run` once with the same storage inside it, commits when `run` resolves, and resolves with its
   * result. If `run` rejects, rolls back and rejects with the same reason. First waits for the calls inside that were made
   * before `run` settled; later ones reject with `transaction_required`. Rejects with `transaction_lost`, and commits nothing,
   * if the transaction has ended already, even if `run` has caught the error that said so. Rejects with `storage_unavailable`
   * if it is not known whether the transaction was committed. A transaction inside `run` is another one, which waits for this
   * one as any other caller does.
   */
  transaction<Result>(run: (inside: Storage, connection: Connection) => Promise<Result>): Promise<Result>;

  /**
   * Releases the storage's resources; closing it twice is harmless. Afterwards every other method rejects with
   * `storage_unavailable`. So does an earlier call that still waits for a contact, and a `transaction` that is under way:
   * `close` does not wait for its function.
   */
  close(): Promise<void>;
}
