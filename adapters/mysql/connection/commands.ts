import type { Connection } from "mysql2";
import { override, turnsOf, type Hold, type Turns } from "./turns.ts";

/** mysql2 sends every statement by `addCommand`, also those of its wrappers and of a prepared statement. */
interface Core {
  addCommand(command: object): unknown;
  /** Whether the connection was destroyed, or has sent QUIT. */
  _closing?: boolean;
  _fatalError?: unknown;
}

/** Whether mysql2 has stopped sending on the connection. */
export function hasEnded(connection: object): boolean {
  const { _closing, _fatalError } = connection as Core;
  return _closing === true || Boolean(_fatalError);
}

/** Returns the turns of a connection of mysql2. */
export function commandTurnsOf(connection: Connection): Turns {
  return turnsOf(connection, holdCommands(connection as unknown as Core));
}

/** Passes commands to the gate. When mysql2 closes the connection, it replaces `addCommand`. The replacement stays afterwards. */
function holdCommands(core: Core): Hold {
  return (gate) => {
    const { addCommand } = core;
    let closed: Core["addCommand"] | null = null;
    const add: Core["addCommand"] = (command) => {
      // After `end()` QUIT waits in the queue, so the call can still send statements.
      if (!closed || !hasEnded(core)) return addCommand.call(core, command);
      // mysql2 has emitted an error event already. It would emit another for a command without a callback.
      return "onResult" in command && command.onResult ? closed.call(core, command) : command;
    };
    const restore = override(core, "addCommand", {
      get: () => (command: object) => {
        if (gate.isOurs()) return add(command);
        if (closed) return closed.call(core, command);
        gate.wait(() => add(command));
        return command;
      },
      set(replacement: Core["addCommand"]) {
        closed = replacement;
        // After `destroy()` mysql2 settles no statement that it has sent before.
        if (core._closing) gate.lose(Object.assign(new Error("The connection was destroyed."), { fatal: true }));
      },
    });
    return () => {
      restore();
      if (closed) core.addCommand = closed;
    };
  };
}
