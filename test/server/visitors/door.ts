import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker, type Storage, type Tracker } from "../../../lib/index.ts";
import {
  visitors,
  type TokenVisitorsOptions,
  type Visitors,
  type VisitorsOptions,
} from "../../../server/visitors/index.ts";
import { authorizationOf, secretsOfTest, sign } from "./tokens.ts";

/** A mounted door, and a tracker with the contacts `ada` and `bob` and the checklists `start` and `secret`. */
export interface Opened {
  tracker: Tracker;
  mounted: Visitors;
  /** The errors that the tracker reported. */
  reported: unknown[];
  /** Sends a request as a visitor, by default as `ada`. A request with a body is a write. */
  ask(
    path: string,
    init?: { as?: string; method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<{
    status: number;
    headers: Headers;
    body: Record<string, never>;
  }>;
}

export type OpenStorage = () => Promise<{ storage: Storage; dispose(): Promise<void> }>;

type VisitOptions = Partial<VisitorsOptions & Pick<TokenVisitorsOptions, "secrets" | "origins">>;

export type Visit = (run: (opened: Opened) => Promise<void>, options?: VisitOptions) => Promise<void>;

export const own = { "x-whodid-visitor": "1" };
export const json = { "content-type": "application/json" };

const items = [
  { key: "call", name: "Call" },
  { key: "step", name: "Step", when: { kind: "has_done", eventKey: "step" } },
] as const;

/** The externalId in the header `x-user`; the host has checked it. */
export function userOf(request: unknown): string | null {
  return (request as Request).headers.get("x-user");
}

export const openMemory: OpenStorage = async () => ({ storage: memoryStorage(), dispose: async () => {} });

/**
 * Makes what runs a test. A test that does not look at `reported` fails if an error was reported. With `withTokens`, the visitors have
 * tokens instead of a session: the workspace and the contact to create stand in these.
 */
export function visitsTo(openStorage: OpenStorage, withTokens = false): Visit {
  return async (run, options) => {
    const { storage, dispose } = await openStorage();
    const reported: unknown[] = [];
    const tracker = createTracker({ storage, onError: (error) => void reported.push(error) });
    try {
      for (const name of ["ada", "bob"]) {
        await tracker.contacts.upsert({ email: `${name}@example.com`, externalId: name });
      }
      await tracker.checklists.define({ key: "start", name: "Start", items });
      await tracker.checklists.define({ key: "secret", name: "Secret", items });
      const usual = { basePath: "/me", identify: userOf, checklists: ["start"], events: ["step", "tour"], ...options };
      const { identify: _, create, workspace, ...others } = usual as VisitorsOptions;
      const mounted = withTokens
        ? visitors(tracker, { secrets: secretsOfTest, ...others, create: create !== undefined })
        : visitors(tracker, usual);
      const toHeaders = async (as: string): Promise<Record<string, string>> =>
        withTokens ? authorizationOf(sign({ sub: as, workspace, ...(await create?.(null)) })) : { "x-user": as };
      await run({ tracker, mounted, reported, ask: askerOf(mounted, toHeaders) });
      assert.deepEqual(reported, []);
    } finally {
      await tracker.close();
      await dispose();
    }
  };
}

function askerOf({ handle }: Visitors, toHeaders: (as: string) => Promise<Record<string, string>>): Opened["ask"] {
  return async (path, { as = "ada", method, headers = {}, body } = {}) => {
    const usual = {
      ...(as !== "" && (await toHeaders(as))),
      ...(method === "POST" && own),
      ...(body !== undefined && json),
    };
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const init = { method: method ?? "GET", headers: { ...usual, ...headers }, body: text ?? null };
    const response = await handle(new Request(`http://localhost${path}`, init));
    const answer = await response.text();
    const { status, headers: answered } = response;
    return { status, headers: answered, body: answer === "" ? {} : (JSON.parse(answer) as Record<string, never>) };
  };
}

/** The status and code of a refusal. */
export function codeOf({ status, body }: { status: number; body: Record<string, unknown> }): string {
  return `${status} ${(body["error"] as { code: string }).code}`;
}

let keys = 0;

/** An event to send, with a key of its own. */
export function event(parts: object = {}): object {
  return { eventKey: "step", idempotencyKey: `k${++keys}`, ...parts };
}
