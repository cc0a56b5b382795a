import { keepDaysDefault, webhookConcurrencyDefault } from "../../../../../lib/model/limits.ts";
import { numberOf } from "../../numbers.ts";
import type { Subscription, SubscriptionDefinition } from "../../../../../lib/model/types.ts";

/** A subscription as one types it. */
export interface SubscriptionDraft {
  key: string;
  events: "all" | "listed" | "none";
  /** The event keys that are listed, one on each line. */
  eventKeys: string;
  contacts: boolean;
  checklists: boolean;
  /** The keys of the audiences. */
  audiences: readonly string[];
  /** Whether the contacts that are in the audiences already are announced. */
  current: boolean;
  keepDays: string;
  /** Empty if the subscription is no webhook. */
  url: string;
  concurrency: string;
}

export function draftOf(subscription: Subscription | null): SubscriptionDraft {
  if (!subscription) return draftOf({ key: "", on: { events: true }, keepDays: keepDaysDefault });
  const { key, on, current, keepDays, url = "", concurrency = webhookConcurrencyDefault } = subscription;
  const listed = Array.isArray(on.events) ? (on.events as readonly string[]) : null;
  return {
    key,
    events: listed ? "listed" : on.events === true ? "all" : "none",
    eventKeys: listed?.join("\n") ?? "",
    contacts: on.contacts ?? false,
    checklists: on.checklists ?? false,
    audiences: on.audiences ?? [],
    current: current === "announce",
    keepDays: String(keepDays),
    url,
    concurrency: String(concurrency),
  };
}

export function definitionOf(draft: SubscriptionDraft): SubscriptionDefinition {
  const eventKeys = draft.eventKeys.split("\n").filter((line) => line !== "");
  return {
    key: draft.key,
    on: {
      ...(draft.events !== "none" && { events: draft.events === "all" ? true : eventKeys }),
      ...(draft.contacts && { contacts: true }),
      ...(draft.checklists && { checklists: true }),
      ...(draft.audiences.length > 0 && { audiences: draft.audiences }),
    },
    ...(draft.current && draft.audiences.length > 0 && { current: "announce" }),
    // The server says what is wrong with a text that is no number.
    ...(draft.keepDays.trim() !== "" && { keepDays: numberOf(draft.keepDays) as number }),
    ...(draft.url !== "" && { url: draft.url }),
    ...(draft.url !== "" && draft.concurrency.trim() !== "" && { concurrency: numberOf(draft.concurrency) as number }),
  };
}
