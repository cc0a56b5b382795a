import type { Scalar } from "../../../lib/model/types.ts";
import { eventMaxBytes, eventsPath, eventsPerRequestMax, ownHeader } from "../agreed.ts";
import { doorOf, writeEvent, type Door, type Token } from "./requests.ts";

/** Records what the visitor of this page does. */
export interface Visitor {
  /**
   * Records an event soon: after 2 s, or when the page is hidden or left. Never throws. A waiting event is lost if the page is
   * left while the server cannot be reached, or if the visitor changes. Prints a warning for an event that is refused.
   */
  track(eventKey: string, properties?: Record<string, Scalar | undefined>): void;
}

interface ItemAnswer {
  status: number;
  body?: { error?: { message: string } };
}

/** An event as JSON, in an object, so that two equal events are distinct. */
interface Waiting {
  json: string;
  /** As the door tells it; `undefined` until the page knows one. */
  visitor: string | undefined;
}

const waitingMax = 100;
/** Browsers let requests outlive their page up to 64 KiB in all. */
const bodyMaxBytes = 60_000;
const firstPauseMs = 2_000;
const pauseMaxMs = 60_000;

const visitors = new Map<Door, Visitor>();

/**
 * Returns the visitor that sends its events to the routes at `src`. As long as the page lives, it is the same one for the
 * session, for a function, and for all tokens of a visitor. A fresh token goes on with the events that wait.
 */
export function createVisitor({ src, token }: { src: string; token?: Token | undefined }): Visitor {
  const door = doorOf(src, token);
  const visitor = visitors.get(door) ?? startVisitor(door);
  visitors.set(door, visitor);
  return visitor;
}

function startVisitor(door: Door): Visitor {
  /** Events stay here until they are answered. */
  let waiting: Waiting[] = [];
  const underWay = new Set<Waiting>();
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function sendLater(): void {
    timer ??= setTimeout(() => void sendNext(), pauseMs);
  }

  /** Sends one request at a time, so that events are recorded in their order. */
  async function sendNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await door.identify();
    if (underWay.size === 0) sendBatch();
  }

  /** Sends as much as the browser lets outlive the page. */
  function sendAll(): void {
    while (sendBatch());
  }

  /** Returns whether there was an event to send. Drops the events of earlier visitors. */
  function sendBatch(): boolean {
    const { visitor } = door;
    waiting = waiting.filter((event) => (event.visitor ??= visitor) === visitor);
    const left = bodyMaxBytes - bytesOf([...underWay]);
    const batch = batchOf(
      waiting.filter((event) => !underWay.has(event)),
      left,
    );
    for (const event of batch) underWay.add(event);
    if (batch.length > 0) void send(batch).then((isAnswered) => settle(batch, isAnswered));
    return batch.length > 0;
  }

  function settle(batch: readonly Waiting[], isAnswered: boolean): void {
    for (const event of batch) underWay.delete(event);
    pauseMs = isAnswered ? firstPauseMs : Math.min(2 * pauseMs, pauseMaxMs);
    if (waiting.length > 0) sendLater();
  }

  /** Removes the events that the server stored or refused from `waiting`. Resolves with whether no event is left to retry. */
  async function send(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const response = await door.ask(eventsPath, {
        method: "POST",
        headers: { "Content-Type": "application/json", [ownHeader]: door.tag },
        body: bodyOf(batch),
        // The request goes on when the page is left.
        keepalive: true,
      });
      if (response.status >= 500 || [401, 429].includes(response.status)) return false;
      const { items } = (await response.json()) as { items?: ItemAnswer[] };
      // JSON of a proxy throws here, or has no status. In both cases the events still wait.
      const answered = response.ok ? batch.filter((_, index) => items![index]!.status < 500) : batch;
      waiting = waiting.filter((event) => !answered.includes(event));
      const refused = items?.find(({ body }) => body?.error)?.body?.error?.message;
      if (refused ?? !response.ok) warn(refused ?? response.status);
      if (response.ok) dispatchEvent(new Event(writeEvent));
      return answered.length === batch.length;
    } catch {
      return false;
    }
  }

  addEventListener("pagehide", sendAll);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sendAll());
  addEventListener("online", () => void sendNext());

  return {
    track(eventKey, properties) {
      try {
        const json = JSON.stringify({ eventKey, properties, idempotencyKey: newKey() });
        const event = { json, visitor: door.visitor };
        if (bytesOf([event]) > eventMaxBytes) throw new RangeError(`${eventKey} is larger than ${eventMaxBytes} bytes`);
        waiting = [...waiting, event].slice(-waitingMax);
        sendLater();
      } catch (error) {
        warn(error);
      }
    },
  };
}

/** The first events that fit into a request. */
function batchOf(events: readonly Waiting[], maxBytes: number): Waiting[] {
  const batch: Waiting[] = [];
  for (const event of events.slice(0, eventsPerRequestMax)) {
    if (bytesOf([...batch, event]) > maxBytes) break;
    batch.push(event);
  }
  return batch;
}

function bodyOf(batch: readonly Waiting[]): string {
  return `{"items":[${batch.map(({ json }) => json).join()}]}`;
}

function bytesOf(batch: readonly Waiting[]): number {
  return new TextEncoder().encode(bodyOf(batch)).length;
}

/** Pages without HTTPS have no `crypto.randomUUID`. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function warn(problem: unknown): void {
  console.warn("whodid:", problem);
}
