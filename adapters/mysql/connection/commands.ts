import type { Connection } from "mysql2";
import { override, turnsOf, type Hold, type Turns } from "./turns.ts";

/** Every statement on a connection of mysql2 passes `addCommand`, also those of its wrappers and of a prepared statement. */
interface Core {
  addCommand(command: object): unknown;
  /** Whether it was destroyed, or QUIT was sent. */
  _closing?: boolean;
  _fatalError?: unknown;
}

/** Whether mysql2 sends nothing on the connection any more. */
export function hasEnded(connection: object): boolean {
  const { _closing, _fatalError } = connection as Core;
  return _closing === true || Boolean(_fatalError);
}

/** The turns of a connection of mysql2. */
export function commandTurnsOf(connection: Connection): Turns {
  return turnsOf(connection, holdCommands(connection as unknown as Core));
}

/** mysql2 sets another `addCommand` when it closes the connection. It stays afterwards. */
function holdCommands(core: Core): Hold {
  return (gate) => {
    const { addCommand } = core;
    let closed: Core["addCommand"] | null = null;
    const add: Core["addCommand"] = (command) => {
      // After `end()` the QUIT waits, so the connection still works for the call.
      if (!closed || !hasEnded(core)) return addCommand.call(core, command);
      // mysql2 has told the loss by an event. It would emit the event again for a command without a callback.
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
        // mysql2 answers no statement that was sent before `destroy()`.
        if (core._closing) gate.lose(Object.assign(new Error("The connection was destroyed."), { fatal: true }));
      },
    });
    return () => {
      restore();
      if (closed) core.addCommand = closed;
    };
  };
}
