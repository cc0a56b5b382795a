import { hasEnded } from "./commands.ts";
import type { Generations } from "./failover.ts";
import type { Opener } from "./mysql2-pool.ts";
import type { Sessions } from "./prepared-sessions.ts";
import type { Session } from "./session.ts";

/** Lends sessions to callers. Keeps those of our own pool for the next callers. */
export interface CallerSessions {
  take(): Promise<Session>;
  giveBack(session: Session): Promise<void>;
}

export function createCallerSessions(opener: Opener, sessions: Sessions, generations: Generations): CallerSessions {
  const idle: Session[] = [];
  const waiting = new Set<(session: Session) => void>();

  function takeIdle(): Session | null {
    for (let session = idle.pop(); session; session = idle.pop()) {
      if (!generations.isOutdated(session.connection) && !hasEnded(session.connection)) return session;
      session.connection.destroy();
    }
    return null;
  }

  return {
    async take() {
      // A session that becomes free serves a caller who waits for a connection of the pool.
      return (
        takeIdle() ??
        new Promise<Session>((resolve, reject) => {
          waiting.add(resolve);
          sessions.take(null).then(
            (session) => (waiting.delete(resolve) ? resolve(session) : session.connection.release()),
            (error: Error) => waiting.delete(resolve) && reject(error),
          );
        })
      );
    },
    async giveBack(session) {
      const { connection } = session;
      const connections = await opener.ownConnections();
      if (connections === null) return connection.release();
      if (generations.isOutdated(connection) || hasEnded(connection)) return connection.destroy();
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        return next(session);
      }
      // Other calls need more than half of the connections, because the batches keep some of them.
      if (idle.length < Math.floor((connections - 1) / 2)) idle.push(session);
      else connection.destroy();
    },
  };
}
