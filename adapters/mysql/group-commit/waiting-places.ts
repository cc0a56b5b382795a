import { batchesAtOnceMax, waitingConnectionsMax } from "../limits.ts";

/** Bounds the connections that wait for the row of a contact, of events and of contacts together. */
export interface WaitingPlaces {
  /** Resolves with whether there was a place. */
  take(): Promise<boolean>;
  leave(): void;
}

/** There is none in a small pool, where others may need the connection, nor in one that was given. */
export function createWaitingPlaces(ownConnections: () => Promise<number | null>): WaitingPlaces {
  let taken = 0;
  return {
    async take() {
      const connections = (await ownConnections()) ?? 0;
      if (taken === waitingConnectionsMax || connections < 2 * batchesAtOnceMax + waitingConnectionsMax) return false;
      taken++;
      return true;
    },
    leave: () => void taken--,
  };
}
