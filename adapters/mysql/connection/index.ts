export {
  BeginAgain,
  causeOf,
  endsTransaction,
  faultOf,
  isDuplicate,
  isKnownFailure,
  mayBeOneItems,
  nameOf,
  numberOf,
  TransactionEnded,
  translate,
  unavailableBecause,
} from "./errors.ts";
export { command, execute, headerOf, limitTime, rowsOf } from "./execute.ts";
export type { MysqlPool } from "./mysql2-pool.ts";
export { createSessionPool, type SessionPool, type SessionSlot } from "./pool.ts";
export type { Session } from "./session.ts";
export { assertUsable, coreConnection, type MysqlConnection } from "./usable.ts";
