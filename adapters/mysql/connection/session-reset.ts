import type { EventEmitter } from "node:events";
import type { PoolConnection } from "mysql2";
import { command } from "./execute.ts";
import { control } from "../sql/index.ts";

/** The client's flag for the mode IGNORE_SPACE. The server reads it only when a connection is made. */
const ignoreSpaceFlag = 0x100;

/**
 * Undoes the changes of a caller's statements to the session of a connection of our own. Uses `changeUser`, because
 * COM_RESET_CONNECTION keeps the database of USE.
 */
export async function resetOwn(connection: PoolConnection): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = connection.changeUser({}, (error) => (error ? reject(error) : resolve())) as unknown as EventEmitter;
    // If the connection is lost while the server asks for the password, mysql2 calls no callback. The command emits an error.
    sent.once("error", reject);
  });
  await command(connection, control.forCallers);
  const { clientFlags } = connection.config as { clientFlags?: number };
  if (Number(clientFlags) & ignoreSpaceFlag) await command(connection, control.ignoreSpace);
}
