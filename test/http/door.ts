import { createTracker, type Storage, type Tracker, type TrackerOptions } from "../../lib/index.ts";
import { assertDocumented } from "./documented.ts";

export interface DoorCall {
  method: string;
  /** As it goes into the request line, query included. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Lets the client leave. */
  signal?: AbortSignal;
}

export interface DoorAnswer {
  status: number;
  headers: Headers;
  /** Parsed; `null` where the answer has none. */
  body: unknown;
}

/** One way in to one tracker of its own: through `handle`, or over a socket. */
export interface Door {
  tracker: Tracker;
  /** Adds no header of its own but what the transport cannot do without. */
  send(call: DoorCall): Promise<DoorAnswer>;
  /** Also closes the tracker. */
  close(): Promise<void>;
}

export type OpenDoor = (options?: Partial<Omit<TrackerOptions, "storage">>) => Promise<Door>;

/** Doors over `handle`, each on a storage of its own. */
export function openInProcess(makeStorage: () => Storage): OpenDoor {
  return async (options = {}) => {
    const tracker = createTracker({ ...options, storage: makeStorage() });
    const send = documented((call) => sendTo(tracker.handle, call), options.basePath);
    return { tracker, send, close: () => tracker.close() };
  };
}

/** Holds every answer to the OpenAPI document. */
export function documented(send: Door["send"], basePath: string | undefined): Door["send"] {
  return async (call) => {
    const answer = await send(call);
    assertDocumented(call, answer, basePath);
    return answer;
  };
}

async function sendTo(handle: Tracker["handle"], call: DoorCall): Promise<DoorAnswer> {
  const response = await handle(toRequest(call));
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

export function toRequest({ method, path, headers = {}, body, signal }: DoorCall): Request {
  // Always bytes: of a string a Request would make a Content-Type.
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return new Request(`http://localhost${path}`, { method, headers, body: bytes ?? null, signal: signal ?? null });
}
