import { errors, execute, isInTransaction, rowsOf, rowsUpTo, type Header, type Session } from "../connection/index.ts";
import { batchMaxBytes } from "../limits.ts";
import { beginningWith, committedAfter, sizeOf, type Query, type Tables } from "../sql/index.ts";
import type { Sender } from "./work.ts";

/** The sender of one of our own sessions. */
export interface OwnSender extends Sender {
  /** Begins the transaction. If the session takes sequences, leaves this to the first statement, to save a round trip. */
  begin(): Promise<void>;
  hasWritten(): boolean;
  /** Returns the writes that are not sent yet. */
  takeLast(): readonly Query[];
}

/**
 * Sends the statements of one transaction, or of a read. `isOpen` is true if no transaction must be begun. `mayStop` is true if
 * closing the connection may stop a read that is too large.
 */
export function createOwnSender(
  session: Session,
  tables: Tables,
  timeoutMs: number,
  { isOpen, announced = new Set(), mayStop = false }: { isOpen: boolean; announced?: Set<string>; mayStop?: boolean },
): OwnSender {
  const { connection } = session;
  let written = false;
  let mustBegin = false;
  const later: Query[] = [];

  async function write(query: Query): Promise<number> {
    const header = (await execute(connection, query, timeoutMs, { isWrite: true })) as Header;
    // Galera can roll back after a statement that it answers with OK.
    if (!isInTransaction(header.serverStatus)) throw new errors.TransactionEnded();
    written ||= header.affectedRows > 0 && !query.mayChangeNothing;
    return header.affectedRows;
  }

  const takeLast = (): readonly Query[] => later.splice(0);

  async function prepareWrite(): Promise<void> {
    if (mustBegin) await session.begin();
    mustBegin = false;
    for (const query of takeLast()) await write(query);
  }

  return {
    async begin() {
      if (isOpen) return;
      mustBegin = session.form() !== null;
      if (!mustBegin) await session.begin();
    },
    hasWritten: () => written,
    takeLast,
    announce: (workspace) => void announced.add(workspace),
    async rows(statement, maxBytes = Infinity) {
      for (const query of takeLast()) await write(query);
      const opening = mustBegin && beginningWith(statement(tables));
      const isTaken = opening && session.takes(opening);
      if (mustBegin && !isTaken) await session.begin();
      mustBegin = false;
      if (mayStop && maxBytes < Infinity) return rowsUpTo(connection, tables, statement, timeoutMs, maxBytes);
      if (!isTaken) return rowsOf(connection, tables, statement, timeoutMs);
      // The sequence has one SELECT.
      const [rows] = await session.send(opening);
      return rows!;
    },
    async write(statement) {
      await prepareWrite();
      return write(statement(tables));
    },
    async writeLater(statement) {
      const query = statement(tables);
      const last = [...later, query];
      // All values of a compound statement must fit into one packet.
      const isLater = session.takes(committedAfter(last)) && sizeOf(last) <= batchMaxBytes;
      if (mustBegin || !isLater) await prepareWrite();
      if (!isLater) return void (await write(query));
      later.push(query);
      written ||= !query.mayChangeNothing;
    },
  };
}
