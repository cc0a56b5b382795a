import type { Answer } from "../../lib/http/answer.ts";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import type { AddContact } from "../../lib/contacts/upserts.ts";
import { keepNewest } from "./item-limit.ts";
import { refusedMs } from "./limits.ts";
import { isOf, isUnknown, type TrackerCalls, type Visit } from "./tracker-calls.ts";

export interface NewContactsOptions {
  calls: Pick<TrackerCalls, "askOwn" | "report">;
  /** Throws `email_taken` instead of changing a contact. */
  addContact: AddContact;
  /** The time of a clock, in milliseconds. */
  now(this: void): number;
}

/**
 * Calls `ask`. If the visitor has no contact, creates one and calls `ask` again. Concurrent requests of a visitor share one
 * creation. A refusal is reported, and remembered for a minute. The answer of the request that made the creation then has it
 * as `thrown`, for the log of a server. Calls `count` before each creation.
 */
export type WithContact = (visit: Visit, ask: () => Promise<Answer>, count?: () => void) => Promise<Answer>;

export function createNewContacts({ calls, addContact, now }: NewContactsOptions): WithContact {
  const underWay = new Map<string, Promise<unknown>>();
  const refusedAt = new Map<string, number>();

  return async (visit, ask, count = () => {}) => {
    const answer = await ask();
    const { create, tag } = visit;
    const another = underWay.get(tag);
    if (!create || !isUnknown(answer) || (!another && isRefused(tag))) return answer;
    if (another) return another.then(ask);
    count();
    const creation = createContact(visit, create).finally(() => underWay.delete(tag));
    underWay.set(tag, creation);
    const thrown = await creation;
    return { ...(await ask()), ...(thrown !== undefined && { thrown }) };
  };

  function isRefused(tag: string): boolean {
    return now() - (refusedAt.get(tag) ?? -Infinity) < refusedMs;
  }

  /** Resolves with the reported error, if there is one. */
  async function createContact(visit: Visit, create: NonNullable<Visit["create"]>): Promise<unknown> {
    const { call, workspace, externalId, tag } = visit;
    try {
      return await addContact(workspace, { ...(await create()), externalId });
    } catch (error) {
      if (isOf(error, "storage_unavailable")) throw new TrackerError("storage_unavailable");
      // Another process may have created the contact meanwhile.
      if (!isUnknown(await calls.askOwn(visit, "GET", ""))) return undefined;
      if (isTrackerError(error)) keepNewest(refusedAt, tag, now());
      return calls.report(error, call);
    }
  }
}
