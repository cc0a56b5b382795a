import { lockedContactWaitMs } from "../../../lib/model/limits.ts";
import { fragment, joined, sqlOf, uuid, type Fragment } from "./fragments.ts";

/** The text of one statement, and its values. */
export interface Query extends Fragment {
  /** Written as a comment before the text. It identifies the statement in the process list and the slow query log. */
  name: string;
  /**
   * Set if the text differs from call to call. The statement is then closed after its use. Otherwise the server would reach
   * `max_prepared_stmt_count`, the limit of all its clients, and none of them could prepare another statement.
   */
  isVariable?: true;
  /** Set if the statement can match an existing row and leave it unchanged. */
  mayChangeNothing?: true;
}

/** MariaDB refuses the statement with error 1231 when no transaction is open. */
const refusedInAutocommit = "completion_type=IF(@@in_transaction, @@completion_type, 'NO_TRANSACTION')";

/** How long a statement can take, and where it runs. */
export interface Limits {
  /** The server ends the statement after this time; `null` for no limit. */
  limitMs: number | null;
  /** The limit that the session has already. */
  sessionLimitMs: number | null;
  /**
   * Whether to refuse the statement when no transaction is open. Galera can end a transaction without reporting it, and the
   * rest of its statements would each commit by itself.
   */
  isRefusedInAutocommit: boolean;
}

/**
 * Returns the text to send for a statement. If the session already has the limit, MariaDB needs none in the text. That saves a
 * tenth of the time of a single call. MariaDB reads the second comment; MySQL reads the optimizer hint, which exists only for
 * SELECT.
 */
export function textOf({ name, sql }: Query, { limitMs, sessionLimitMs, isRefusedInAutocommit }: Limits): string {
  const comment = `/* whodid:${name} */`;
  const hinted = limitMs === null ? sql : withTimeLimit(sql, limitMs);
  if (limitMs === sessionLimitMs && !isRefusedInAutocommit) return `${comment} ${hinted}`;
  const settings = limitMs === sessionLimitMs ? [] : [`max_statement_time=${(limitMs ?? 0) / 1_000}`];
  if (isRefusedInAutocommit) settings.push(refusedInAutocommit);
  return `${comment} ${forMariadb(settings)} ${hinted}`;
}

/**
 * The text of a statement in a caller's transaction. It waits for a lock as long as the session's setting allows, at most 5 s;
 * on MySQL only a SELECT can be limited so. MariaDB refuses writes when no transaction is open.
 */
export function textInside({ name, sql }: Query): string {
  const comment = `/* whodid:${name} */`;
  const lockWait = `innodb_lock_wait_timeout=LEAST(@@innodb_lock_wait_timeout, ${lockedContactWaitMs / 1_000})`;
  if (!sql.startsWith("SELECT")) return `${comment} ${forMariadb([lockWait, refusedInAutocommit])} ${sql}`;
  if (!sql.includes("FOR UPDATE")) return `${comment} ${sql}`;
  return `${comment} ${forMariadb([lockWait])} ${withTimeLimit(sql, lockedContactWaitMs)}`;
}

function withTimeLimit(sql: string, limitMs: number): string {
  return sql.replace(/^SELECT\b/, `SELECT /*+ MAX_EXECUTION_TIME(${limitMs}) */`);
}

function forMariadb(settings: readonly string[]): string {
  return `/*M! SET STATEMENT ${settings.join(", ")} FOR */`;
}

/** The names of the tables, without the prefix. */
const tableNames = {
  contacts: "contacts",
  events: "events",
  summaries: "summaries",
  completions: "completions",
  dismissals: "dismissals",
  definitions: "definitions",
  apiKeys: "api_keys",
  apiKeyUses: "api_key_uses",
  migrations: "migrations",
  workspaces: "workspaces",
  outbox: "outbox",
  changes: "changes",
  changeHeads: "change_heads",
  subscriptions: "subscriptions",
  slots: "slots",
  waiting: "waiting",
  watches: "watches",
  memberships: "memberships",
  webhooks: "webhooks",
  webhookSecrets: "webhook_secrets",
};

/** The names of the tables, which all begin with the prefix. */
export type Tables = Record<keyof typeof tableNames, string>;

function eachTable<Value>(valueOf: (name: string, key: keyof Tables) => Value): Record<keyof Tables, Value> {
  const entries = Object.entries(tableNames) as [keyof Tables, string][];
  return Object.fromEntries(entries.map(([key, name]) => [key, valueOf(name, key)])) as Record<keyof Tables, Value>;
}

export function tablesOf(prefix: string): Tables {
  return eachTable((name) => prefix + name);
}

/** Makes a query for the given table names. A pure function. */
export type Statement = (tables: Tables) => Query;

/** Makes a part of a statement for the given table names. */
export type Template = (tables: Tables) => Fragment;

/** The names of the tables in a template. */
export const table: Readonly<Record<keyof Tables, Template>> = eachTable((_, key) => (tables) => sqlOf(tables[key]));

/** Like `fragment`, with names of tables. */
export function template(
  texts: TemplateStringsArray,
  ...operands: (Fragment | Template | string | number)[]
): Template {
  return (tables) => fragment(texts, ...operands.map((each) => (typeof each === "function" ? each(tables) : each)));
}

/** Like `joined`, with names of tables. */
export function joinedTemplates(templates: readonly Template[], between: string): Template {
  return (tables) =>
    joined(
      templates.map((each) => each(tables)),
      between,
    );
}

/** Makes a statement with this name of a template. */
export function query(
  name: string,
  properties: Pick<Query, "isVariable" | "mayChangeNothing"> = {},
): (...parts: Parameters<typeof template>) => Statement {
  return (...parts) => {
    const filled = template(...parts);
    return (tables) => {
      const { sql, values } = filled(tables);
      return { name, sql: sql.trimStart(), values, ...properties };
    };
  };
}

/** Makes a statement about the rows with an id. */
export type ById = (id: string) => Statement;

/** Deletes the rows with the id in this column. */
export const deleteBy = (name: string, from: keyof Tables, column: string): ById => {
  return (id) => query(name)`DELETE FROM ${table[from]} WHERE ${sqlOf(column)} = ${uuid(id)}`;
};
