import type { Scalar } from "../../../lib/model/types.ts";
import { eventMaxBytes, eventsPath, eventsPerRequestMax, ownHeader } from "../agreed.ts";
import { srcOf, writeEvent } from "./requests.ts";

/** Records what the visitor of this page does. */
export interface Visitor {
  /**
   * Records an event soon: after 2 s, or when the page is hidden or left. Never throws. An event that waits is lost with the
   * page if the server cannot be reached. Prints a warning for an event that is refused.
   */
  track(eventKey: string, properties?: Record<string, Scalar | undefined>): void;
}

interface ItemAnswer {
  status: number;
  body: { error?: { message: string } };
}

/** The JSON of an event. Each is an object of its own, so that two alike are told apart. */
interface Waiting {
  json: string;
}

const waitingMax = 100;
/** Browsers let requests outlive their page up to 64 KiB in all. */
const bodyMaxBytes = 60_000;
const firstPauseMs = 2_000;
const pauseMaxMs = 60_000;

/** Makes a visitor that sends its events to the routes at `src`. */
export function createVisitor({ src }: { src: string }): Visitor {
  /** Events stay here until they are answered, so that one that was sent when the page was left can be sent again. */
  let waiting: Waiting[] = [];
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;

  function sendLater(): void {
    timer ??= setTimeout(() => void sendNext(), pauseMs);
  }

  async function sendNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (isSending || waiting.length === 0) return;
    isSending = true;
    const isAnswered = await send(batchOf(waiting, bodyMaxBytes), false);
    isSending = false;
    pauseMs = isAnswered ? firstPauseMs : Math.min(2 * pauseMs, pauseMaxMs);
    if (waiting.length > 0) sendLater();
  }

  /** Sends as much as the browser lets outlive the page. The keys keep an event that is sent twice from being recorded twice. */
  function sendAll(): void {
    let rest = waiting;
    let left = bodyMaxBytes;
    for (let batch = batchOf(rest, left); batch.length > 0; batch = batchOf(rest, left)) {
      void send(batch, true);
      rest = rest.slice(batch.length);
      left -= bytesOf(batch);
    }
  }

  /** Resolves with whether the server answered. Then the events do not wait any more, unless it could not store them. */
  async function send(batch: readonly Waiting[], keepalive: boolean): Promise<boolean> {
    try {
      const response = await fetch(srcOf(src) + eventsPath, {
        method: "POST",
        headers: { "Content-Type": "application/json", [ownHeader]: "1" },
        body: bodyOf(batch),
        keepalive,
      });
      if (response.status >= 500 || response.status === 429) return false;
      const { items } = (await response.json()) as { items?: ItemAnswer[] };
      const answered = batch.filter((_, index) => !(items && items[index]!.status >= 500));
      waiting = waiting.filter((event) => !answered.includes(event));
      const refused = items?.find(({ body }) => body.error)?.body.error?.message;
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
        const event = { json: JSON.stringify({ eventKey, properties, idempotencyKey: newKey() }) };
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
