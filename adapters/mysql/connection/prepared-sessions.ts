import type { Connection } from "mysql2";
import { connectionWaitMs, statementsMs } from "../limits.ts";
import { command, limitTime, setOwnLimits } from "./execute.ts";
import type { Generations } from "./failover.ts";
import { acquire, type Opener } from "./mysql2-pool.ts";
import { createSession, type Session } from "./session.ts";
import { control } from "../sql/index.ts";
import { assertUsable } from "./check.ts";

/** The sessions of a pool's connections, each made and prepared once. */
export interface Sessions {
  /** Waits for a connection, unless a session was kept. Destroys those of an earlier generation that it comes across. */
  take(kept: Session | null): Promise<Session>;
  /** Checks the connection of a new session, and sets up one of our own pool. */
  prepare(session: Session): Promise<void>;
  /** How many calls wait for a connection. */
  waiting(): number;
}

export function createSessions(opener: Opener, generations: Generations): Sessions {
  const acquiring = { count: 0 };
  const prepared = new WeakMap<Connection, Session>();

  return {
    async take(kept) {
      const pool = await opener.open();
      let connection = kept?.connection ?? (await acquire(pool, acquiring, generations));
      while (generations.isOutdated(connection)) {
        connection.destroy();
        connection = await acquire(pool, acquiring, generations);
      }
      return prepared.get(connection) ?? createSession(connection, opener.isOwn);
    },
    async prepare(session) {
      const { connection } = session;
      if (prepared.has(connection)) return;
      await limitTime(connection, connectionWaitMs, async () => {
        await assertUsable(connection);
        if (!opener.isOwn) return;
        await command(connection, control.ownReadCommitted);
        await setOwnLimits(connection, statementsMs);
      });
      prepared.set(connection, session);
    },
    waiting: () => acquiring.count,
  };
}
