export * as errors from "./errors.ts";
export { catchUp, command, execute, isGalera, isInTransaction, limitTime, rowsOf, type Header } from "./execute.ts";
export { rowsUpTo } from "./rows-up-to.ts";
export { hostsOf } from "./hosts.ts";
export { lend, type Lent } from "./managed-connection.ts";
export {
  executorBy,
  executorOnFound,
  keepExecutor,
  toExecutor,
  type CheckedExecutor,
  type ExecutedHeader,
  type Executor,
} from "./executor.ts";
export type { MysqlPool } from "./mysql2-pool.ts";
export { createPermits, type Permits } from "./permits.ts";
export { createSessionPool, type SessionPool, type Lane } from "./pool.ts";
export type { Session } from "./session.ts";
export type { MysqlConnection } from "./mysql2-connection.ts";
export { createTurns, override, turnsOf, type Hold } from "./turns.ts";
export { assertUsableInside } from "./check.ts";
