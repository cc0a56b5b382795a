import { hasEnded } from "./commands.ts";
import type { Generations } from "./failover.ts";
import type { Session } from "./session.ts";

/** Gives sessions to callers' transactions. Keeps the sessions of our own pool for the next callers. */
export interface CallerSessions {
  take(): Promise<Session>;
  giveBack(session: Session): Promise<void>;
}

/** `acquire` waits for a session of the pool. */
export function createCallerSessions(
  acquire: () => Promise<Session>,
  ownConnections: () => Promise<number | null>,
  generations: Generations,
): CallerSessions {
  const idle: Session[] = [];
  const waiting = new Set<(session: Session) => void>();
  const isUsable = ({ connection }: Session): boolean => !generations.isOutdated(connection) && !hasEnded(connection);

  function takeIdle(): Session | null {
    for (let session = idle.pop(); session; session = idle.pop()) {
      if (isUsable(session)) return session;
      session.connection.destroy();
    }
    return null;
  }

  return {
    async take() {
      // Takes a connection of the pool, or a session that another caller gives back, whichever is there first.
      return (
        takeIdle() ??
        new Promise<Session>((resolve, reject) => {
          waiting.add(resolve);
          acquire().then(
            (session) => (waiting.delete(resolve) ? resolve(session) : session.connection.release()),
            (error: Error) => waiting.delete(resolve) && reject(error),
          );
        })
      );
    },
    async giveBack(session) {
      const connections = await ownConnections();
      if (connections === null) return session.connection.release();
      if (!isUsable(session)) return session.connection.destroy();
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        return next(session);
      }
      // Other calls need more than half of the connections, because the batches keep some of them.
      if (idle.length < Math.floor((connections - 1) / 2)) idle.push(session);
      else session.connection.destroy();
    },
  };
}
