import type { Connection } from "mysql2";
import type { SequenceForm } from "../sql/index.ts";
import { isLostConnection } from "./errors.ts";
import { isGalera, takesCompound } from "./execute.ts";

/**
 * Returns the form of sequences on a checked connection of our own; `null` if it takes no sequences. Only such connections allow
 * several statements in a text. While a connection allows them, no statement of a caller may run on it.
 */
export async function allowSequences(connection: Connection): Promise<SequenceForm | null> {
  if (takesCompound(connection)) return "compound";
  // `setSeveral` sends its request uncompressed, so a compressed connection cannot use it.
  if (isGalera(connection) || (connection.config as { compress?: unknown }).compress) return null;
  try {
    await setSeveral(connection, true);
    return "several";
  } catch (error) {
    if (isLostConnection(error)) throw error;
    // A proxy may not know the request.
    return null;
  }
}

/** Makes the server refuse a text with several statements, as it does by default. */
export function refuseSeveral(connection: Connection): Promise<void> {
  return setSeveral(connection, false);
}

/** COM_SET_OPTION, with MYSQL_OPTION_MULTI_STATEMENTS_ON or MYSQL_OPTION_MULTI_STATEMENTS_OFF. */
const setOption = 0x1b;
const on = 0;
const off = 1;

/** Members of mysql2 that its types omit. */
interface Core {
  addCommand(command: object): unknown;
  _resetSequenceId(): void;
  writePacket(packet: object): void;
}

/** mysql2 has no method for this request, so this adds a command of its own to the connection's queue. */
function setSeveral(connection: Connection, isAllowed: boolean): Promise<void> {
  const core = connection as unknown as Core;
  const buffer = Buffer.from([3, 0, 0, 0, setOption, isAllowed ? on : off, 0]);
  let isSent = false;
  return new Promise((resolve, reject) => {
    const onResult = (error: Error | null): void => (error ? reject(error) : resolve());
    core.addCommand({
      onResult,
      emit: () => false,
      stateName: () => "setOption",
      execute(answer: { isError(): boolean; asError(encoding: string): Error }) {
        if (isSent) {
          onResult(answer.isError() ? answer.asError("utf8") : null);
          return true;
        }
        isSent = true;
        core._resetSequenceId();
        core.writePacket({ buffer, length: () => buffer.length, writeHeader() {} });
        return false;
      },
    });
  });
}
