import { isTrackerError, TrackerError, type ErrorCode } from "../../lib/model/errors.ts";
import type { Answer } from "../../lib/http/answer.ts";
import { unreadableCall, type Call, type Respond } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import type { NewContact } from "../../lib/model/types.ts";
import type { Workspace } from "../../lib/workspace.ts";
import { createTriesMax } from "./limits.ts";

/** One request of a visitor. */
export interface Visit {
  call: Call;
  externalId: string;
}

/** Calls of the tracker's API for visitors. */
export interface TrackerCalls {
  /** Sends a request below the visitor's own contact. */
  askOwn(visit: Visit, method: "GET" | "POST", path: string): Promise<Answer>;
  /** Sends a batch of events. */
  track(visit: Visit, items: readonly object[]): Promise<Answer>;
  /** Repeats `ask` if the visitor has no contact, after creating the contact. */
  withContact(visit: Visit, ask: () => Promise<Answer>): Promise<Answer>;
  /** Passes an error to the tracker's `onError`. */
  report(error: unknown, call: Call): Promise<void>;
}

export interface TrackerCallsOptions {
  respond: Respond;
  methods: Workspace;
  workspace: string;
  create: ((request: unknown) => NewContact | Promise<NewContact>) | undefined;
}

export function createTrackerCalls({ respond, methods, workspace, create }: TrackerCallsOptions): TrackerCalls {
  return {
    askOwn: (visit, method, path) => ask(visit, method, `/contacts/${encodeURIComponent(visit.externalId)}${path}`),
    track: (visit, items) => ask(visit, "POST", "/events/batch", { items }),
    async withContact(visit, askOnce) {
      let answer = await askOnce();
      let failed: { error: unknown } | null = null;
      for (let tries = 0; create && isUnknown(answer) && tries < createTriesMax; tries++) {
        failed = await createContact(visit).then(
          () => null,
          (error: unknown) => ({ error }),
        );
        // Another request of the visitor may have created the contact meanwhile, and ended this transaction by a deadlock.
        answer = await askOnce();
        if (!isOf(failed?.error, "transaction_lost")) break;
      }
      if (!failed || !isUnknown(answer)) return answer;
      if (isOf(failed.error, "transaction_lost", "storage_unavailable")) throw new TrackerError("storage_unavailable");
      await report(failed.error, visit.call);
      return answer;
    },
    report,
  };

  function ask({ call }: Visit, method: string, path: string, body?: object): Promise<Answer> {
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

  /** Throws `email_taken` instead of changing the contact that has the email. The rollback takes the upsert back. */
  async function createContact({ call, externalId }: Visit): Promise<void> {
    const contact = await create!(requestOf(call));
    await methods.transaction(async ({ contacts }) => {
      const { created } = await contacts.upsert({ ...contact, externalId });
      if (!created) throw new TrackerError("email_taken");
    });
  }

  /** The tracker reports an error that reading a call throws. It would answer a `TrackerError` without reporting it. */
  async function report(error: unknown, { request }: Call): Promise<void> {
    const reported = isTrackerError(error) ? new Error(error.message, { cause: error }) : error;
    await respond({ ...unreadableCall(reported), ...(request && { request }) });
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

function isUnknown({ thrown }: Answer): boolean {
  return isOf(thrown, "contact_not_found");
}

function isOf(error: unknown, ...codes: ErrorCode[]): boolean {
  return isTrackerError(error) && codes.includes(error.code);
}
