import { isTrackerError, type ErrorCode } from "../../lib/model/errors.ts";
import type { Answer } from "../../lib/http/answer.ts";
import { unreadableCall, type Call, type Respond } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import type { NewContact } from "../../lib/model/types.ts";

/** A visitor as its session or its token names it. */
export interface NamedVisitor {
  workspace: string;
  /** Not checked yet. */
  externalId: unknown;
  /** The start of the text that the tag is made of. It differs between the workspaces of a door. */
  tagStart: string;
  /** Makes the contact of an unknown visitor; `null` if none may be created. */
  create: (() => NewContact | Promise<NewContact>) | null;
}

/** One request of a visitor. */
export interface Visit extends NamedVisitor {
  call: Call;
  externalId: string;
  /** The same for an email in upper and in lower case, which can find the same contact. */
  tag: string;
}

/** Calls of the tracker's API for visitors. */
export interface TrackerCalls {
  /** Sends a request below the visitor's own contact. */
  askOwn(visit: Visit, method: "GET" | "POST", path: string): Promise<Answer>;
  /** Sends a batch of events. */
  track(visit: Visit, items: readonly object[]): Promise<Answer>;
  /** Passes an error to the tracker's `onError`. Resolves with it as it was passed. */
  report(error: unknown, call: Call): Promise<unknown>;
}

export function createTrackerCalls(respond: Respond): TrackerCalls {
  return {
    askOwn: (visit, method, path) => ask(visit, method, `/contacts/${encodeURIComponent(visit.externalId)}${path}`),
    track: (visit, items) => ask(visit, "POST", "/events/batch", { items }),
    report,
  };

  function ask({ call, workspace }: Visit, method: string, path: string, body?: object): Promise<Answer> {
    const { request } = call;
    const header = (name: string): string | null => (name === "content-type" ? "application/json" : null);
    const asked = {
      method,
      path,
      query: "",
      header,
      body: async () => ({ parsed: body }),
      ...(request && { request }),
    };
    return respond(asked, { workspace, access: "write" });
  }

  /** Makes a call that throws the error when it is read, which the tracker reports. A `TrackerError` would only be answered. */
  async function report(error: unknown, { request }: Call): Promise<unknown> {
    const reported = isTrackerError(error) ? new Error(error.message, { cause: error }) : error;
    return (await respond({ ...unreadableCall(reported), ...(request && { request }) })).thrown;
  }
}

/** The request as the framework passed it on. */
export function requestOf({ request, incoming }: Call): unknown {
  return request ?? incoming;
}

/** The fields of a success; `null` for an error. */
export function fieldsOf({ status, body }: Answer): Record<string, unknown> | null {
  return status === ok ? (JSON.parse(String(body)) as Record<string, unknown>) : null;
}

/** Whether the visitor has no contact. */
export function isUnknown({ thrown }: Answer): boolean {
  return isOf(thrown, "contact_not_found");
}

export function isOf(error: unknown, ...codes: ErrorCode[]): boolean {
  return isTrackerError(error) && codes.includes(error.code);
}
