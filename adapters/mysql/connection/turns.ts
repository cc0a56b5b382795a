/** Runs the calls on one connection one after another. The caller's own statements wait for a call that runs. */
export interface Turns {
  /** Runs the call in its turn. Calls and statements run in the order in which they were made. */
  take<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Sends a statement of the call that runs. */
  send<Result>(statement: () => Promise<Result>): Promise<Result>;
}

/** Sees each statement that is sent on the connection while calls run. */
export interface Gate {
  /** Whether the running call sends the statement. */
  isOurs(): boolean;
  /** Sends a statement of the caller in its turn. */
  wait(send: () => void): void;
  /** Rejects the statements that the call has sent, because the connection will not answer them. */
  lose(error: Error): void;
}

/** Passes the caller's statements to the gate. Returns a function that stops this. */
export type Hold = (gate: Gate) => () => void;

/** All copies of the package find the turns of a connection by this symbol. */
const shared = Symbol.for("whodid.turns");

/** Returns the turns of the connection, which all copies of the package share. */
export function turnsOf(connection: object, hold: Hold): Turns {
  const kept = Reflect.get(connection, shared) as Turns | undefined;
  if (kept) return kept;
  const turns = createTurns(hold);
  Object.defineProperty(connection, shared, { value: turns });
  return turns;
}

/** Delays the caller's statements while calls run or wait. */
export function createTurns(hold: Hold): Turns {
  const waiting: (() => void)[] = [];
  const sent = new Set<(error: Error) => void>();
  let release: (() => void) | null = null;
  let isRunning = false;
  let isAdvancing = false;
  let isOurs = false;

  const gate: Gate = {
    isOurs: () => isOurs,
    wait(send) {
      // A driver that has kept this method may call it after `hold` has put the original back.
      if (!release) send();
      else waiting.push(() => attempt(send));
    },
    lose(error) {
      for (const reject of sent) reject(error);
    },
  };

  function advance(): void {
    // The callback of a statement that answers at once may make the next call.
    if (isAdvancing) return;
    isAdvancing = true;
    while (!isRunning && waiting.length > 0) waiting.shift()!();
    isAdvancing = false;
    if (isRunning) return;
    release?.();
    release = null;
  }

  return {
    take: (call) =>
      new Promise((resolve, reject) => {
        release ??= hold(gate);
        waiting.push(() => {
          isRunning = true;
          void call()
            .finally(() => {
              isRunning = false;
              advance();
            })
            .then(resolve, reject);
        });
        if (!isRunning) advance();
      }),
    send: (statement) =>
      new Promise((resolve, reject) => {
        sent.add(reject);
        isOurs = true;
        try {
          void statement()
            .finally(() => sent.delete(reject))
            .then(resolve, reject);
        } finally {
          isOurs = false;
        }
      }),
  };
}

/** An error of the caller's callback must not keep the other statements from being sent. */
function attempt(send: () => void): void {
  try {
    send();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
}

/** Overrides a member of the object. Returns a function that restores it exactly. */
export function override(target: object, name: string, by: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { ...by, configurable: true });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
