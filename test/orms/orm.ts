/** What the tests ask of each ORM, which its file in `apps` does in the ORM's own way. */

/** An ORM. The settings of a connection are its own: `odd` lists those that whodid refuses or takes. */
export interface Orm {
  name: string;
  open(url: string, setting?: string): Promise<OpenedOrm>;
  /** What the type of its `from…` lets through, or a caller without types passes, and is refused at run time. */
  wrong(opened: OpenedOrm): Record<string, WrongObject>;
  /** Its file in `examples/transactions`, compiled. */
  example: string;
  /** Whether its transactions can be nested. */
  nests: boolean;
  /** Whether the caller's own statements wait while a call runs. */
  waits: boolean;
  /** Whether it may escape the values of whodid's statements. If not, whodid sends them on the connection itself. */
  escapes: boolean;
  /** The ORM's own error for an object whose transaction has ended; without it the call is `transaction_required`. */
  ownEnd?: RegExp;
  /** Settings that change rows or statements: the sentence that refuses each; `null` for one that does no harm. */
  settings: Record<string, RegExp | null>;
}

/** How it is passed on, and the sentence that it is refused with. */
export interface WrongObject {
  pass: (within: (given: unknown) => unknown) => unknown;
  sentence: RegExp;
}

/** An ORM on a database. */
export interface OpenedOrm {
  /** Runs the function in a transaction, which ends as the ORM says. */
  transaction(run: (transaction: OrmTransaction) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A transaction of the ORM. */
export interface OrmTransaction {
  /** What `within` takes for it. */
  executor: object;
  /** Runs a statement of the caller's own, as the ORM runs one. */
  run(sql: string): Promise<unknown>;
  /** Runs the function in a transaction inside of this one; missing where the ORM has none. */
  nested?(run: (transaction: OrmTransaction) => Promise<void>): Promise<void>;
}
