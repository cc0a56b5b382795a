import type { Answer } from "../../lib/http/answer.ts";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import type { NewContact } from "../../lib/model/types.ts";
import { keepNewest } from "./item-limit.ts";
import { refusedMs } from "./limits.ts";
import { isOf, isUnknown, requestOf, type TrackerCalls, type Visit } from "./tracker-calls.ts";

export interface NewContactsOptions {
  calls: Pick<TrackerCalls, "askOwn" | "report">;
  /** The host's function. Without it no contact is created. */
  create: ((request: unknown) => NewContact | Promise<NewContact>) | undefined;
  /** Throws `email_taken` instead of changing a contact. */
  addContact(this: void, contact: unknown): Promise<void>;
  /** The time of a clock, in milliseconds. */
  now(this: void): number;
}

/**
 * Calls `ask`. If the visitor has no contact, creates one and calls `ask` again. Concurrent requests of a visitor share one
 * creation. A refusal is reported, and remembered for a minute. Calls `count` before each call of the host's function.
 */
export type WithContact = (visit: Visit, ask: () => Promise<Answer>, count?: () => void) => Promise<Answer>;

export function createNewContacts({ calls, create, addContact, now }: NewContactsOptions): WithContact {
  const underWay = new Map<string, Promise<void>>();
  const refusedAt = new Map<string, number>();

  return async (visit, ask, count = () => {}) => {
    const answer = await ask();
    const { externalId } = visit;
    let creation = underWay.get(externalId);
    if (!create || !isUnknown(answer) || (!creation && isRefused(externalId))) return answer;
    if (!creation) {
      count();
      creation = createContact(visit).finally(() => underWay.delete(externalId));
      underWay.set(externalId, creation);
    }
    await creation;
    return ask();
  };

  function isRefused(externalId: string): boolean {
    return now() - (refusedAt.get(externalId) ?? -Infinity) < refusedMs;
  }

  async function createContact(visit: Visit): Promise<void> {
    const { call, externalId } = visit;
    try {
      await addContact({ ...(await create!(requestOf(call))), externalId });
    } catch (error) {
      if (isOf(error, "storage_unavailable")) throw new TrackerError("storage_unavailable");
      // Another process may have created the contact meanwhile.
      if (!isUnknown(await calls.askOwn(visit, "GET", ""))) return;
      if (isTrackerError(error)) keepNewest(refusedAt, externalId, now());
      await calls.report(error, call);
    }
  }
}
