import type { Tracker, TrackerOptions } from "../../lib/index.ts";
import type { Test } from "../support/suite.ts";
import type { Door, DoorAnswer, DoorCall, OpenDoor } from "./door.ts";

/** A door with a key in hand, and JSON as the habit. */
export interface Client {
  door: Door;
  tracker: Tracker;
  key: string;
  /** With the key, and with `Content-Type: application/json` where there is a body, unless the call says otherwise. */
  send(call: DoorCall): Promise<DoorAnswer>;
  /** These five take the path below `/api/v1`. */
  get(path: string): Promise<DoorAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<DoorAnswer>;
  patch(path: string, body: unknown): Promise<DoorAnswer>;
  put(path: string, body: unknown): Promise<DoorAnswer>;
  delete(path: string): Promise<DoorAnswer>;
  /** Moves the tracker's clock, which otherwise stands at 2026-11-20T10:00:00.000Z. */
  setClock(time: string): void;
}

export type VisitOptions = Partial<Omit<TrackerOptions, "storage" | "now">>;

/** Defines a test that goes through a door of its own, which is closed whatever happens. */
export type Visit = (name: string, run: (client: Client) => Promise<void>) => void;

export function visitsTo(test: Test, open: OpenDoor, options: VisitOptions = {}): Visit {
  return (name, run) =>
    test(name, async () => {
      let now = new Date("2026-11-20T10:00:00.000Z");
      const door = await open({ ...options, now: () => now });
      try {
        const { key } = await door.tracker.apiKeys.create({ name: "test" });
        await run({ ...clientOf(door, key), setClock: (time) => (now = new Date(time)) });
      } finally {
        await door.close();
      }
    });
}

export function clientOf(door: Door, key: string): Omit<Client, "setClock"> {
  const send = ({ headers, ...call }: DoorCall): Promise<DoorAnswer> => {
    const usual = { authorization: `Bearer ${key}`, ...(call.body !== undefined && json) };
    return door.send({ ...call, headers: { ...usual, ...headers } });
  };
  return {
    door,
    tracker: door.tracker,
    key,
    send,
    get: (path) => send({ method: "GET", path: base + path }),
    post: (path, body, headers = {}) =>
      send({ method: "POST", path: base + path, headers, body: JSON.stringify(body) }),
    patch: (path, body) => send({ method: "PATCH", path: base + path, body: JSON.stringify(body) }),
    put: (path, body) => send({ method: "PUT", path: base + path, body: JSON.stringify(body) }),
    delete: (path) => send({ method: "DELETE", path: base + path }),
  };
}

const base = "/api/v1";
const json = { "content-type": "application/json" };
