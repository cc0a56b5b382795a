/** Lets the webhooks of a process take turns: a slow endpoint does not keep the others waiting. */
import { webhookBodiesMaxBytes, webhookTriesMax } from "../model/limits.ts";

/** Waits until a try may begin. Resolves with the function that ends it, or with `null` after `waitMs`. */
export type Enter = (webhook: string, bytes: number, waitMs: number) => Promise<(() => void) | null>;

interface Waiting {
  webhook: string;
  bytes: number;
  begin(leave: () => void): void;
}

export function createTurns(): Enter {
  const waiting = new Set<Waiting>();
  /** When each webhook last began a try, as a number of tries. */
  const begunAt = new Map<string, number>();
  let begun = 0;
  let running = 0;
  let runningBytes = 0;

  /** A body that is larger than the limit runs alone. */
  const fits = ({ bytes }: Waiting): boolean =>
    running < webhookTriesMax && (running === 0 || runningBytes + bytes <= webhookBodiesMaxBytes);

  function beginSome(): void {
    const order = [...waiting].sort((a, b) => (begunAt.get(a.webhook) ?? 0) - (begunAt.get(b.webhook) ?? 0));
    for (const next of order) {
      if (!fits(next)) return;
      waiting.delete(next);
      begunAt.set(next.webhook, ++begun);
      running++;
      runningBytes += next.bytes;
      next.begin(() => {
        running--;
        runningBytes -= next.bytes;
        if (running === 0) begunAt.clear();
        beginSome();
      });
    }
  }

  return (webhook, bytes, waitMs) =>
    new Promise((resolve) => {
      const entry: Waiting = {
        webhook,
        bytes,
        begin(leave) {
          clearTimeout(timer);
          resolve(leave);
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(entry);
        resolve(null);
      }, waitMs);
      waiting.add(entry);
      beginSome();
    });
}
