import type { Connection } from "mysql2";
import type { Socket } from "node:net";
import { TooLarge } from "./errors.ts";
import { execute } from "./execute.ts";
import type { Row, Statement, Tables } from "../sql/index.ts";

/**
 * Executes a query and resolves with its rows. Once they have more than `maxBytes`, closes the connection, so that the server
 * stops, and throws `TooLarge`.
 */
export function rowsUpTo(
  connection: Connection,
  tables: Tables,
  statement: Statement,
  timeoutMs: number,
  maxBytes: number,
): Promise<Row[]> {
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const cast = (_field: unknown, next: () => unknown): unknown => {
      const value = next();
      bytes += (Object(value) as { length?: number }).length ?? 0;
      if (bytes > maxBytes) {
        reject(new TooLarge());
        connection.destroy();
        // The connection's own `destroy` waits until the server has sent the rest.
        (connection as unknown as { stream: Socket }).stream.destroy();
      }
      return value;
    };
    execute(connection, statement(tables), timeoutMs, { cast }).then((rows) => resolve(rows as Row[]), reject);
  });
}
