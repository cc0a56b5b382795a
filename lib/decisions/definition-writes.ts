import type { DefinitionRow, Refused, StoredTopics, SubscriptionRow } from "../storage/rows.ts";
import type { AttributeType, SubscribedTopics, Subscription } from "../model/types.ts";

/** The row to store for the draft; `before` is the stored row, or `null`. A storage calls it inside its transaction. */
export function putDefinition(before: DefinitionRow | null, draft: DefinitionRow): DefinitionRow | Refused {
  if (draft.kind === "audience") {
    const { announce: _, ...body } = draft.body;
    return before?.kind === "audience" ? { ...before, body } : { ...draft, body };
  }
  if (draft.kind === "subscription") return putSubscription(before?.kind === "subscription" ? before : null, draft);
  if (draft.kind !== "attribute") return before ? ({ ...before, body: draft.body } as DefinitionRow) : draft;
  if (before?.kind !== "attribute") return { ...draft, body: { ...draft.body, name: draft.body.name ?? null } };
  if (before.body.type !== draft.body.type) return attributeConflict(draft.key, before.body.type);
  const name = draft.body.name === undefined ? before.body.name : draft.body.name;
  return { ...before, body: { ...before.body, name } };
}

/** Does not announce an audience again that an earlier definition of the subscription has announced. */
function putSubscription(before: SubscriptionRow | null, draft: SubscriptionRow): SubscriptionRow | Refused {
  const stored = before?.body;
  if (stored && (stored.url === undefined) !== (draft.body.url === undefined)) return subscriptionConflict;
  const announced = new Set([...(stored?.announced ?? []), ...((stored?.current && stored.on.audiences) ?? [])]);
  const row = before ?? draft;
  const on = { ...draft.body.on, ...(draft.body.current && { own: row.id }) };
  return { ...row, body: { ...draft.body, on, ...(announced.size > 0 && { announced: [...announced] }) } };
}

/** Whether a write of a definition begins a webhook, or begins it anew because its URL has changed. */
export function beginsWebhook(before: DefinitionRow | null, after: DefinitionRow): boolean {
  const urlOf = (row: DefinitionRow | null): string | undefined =>
    row?.kind === "subscription" ? row.body.url : undefined;
  return urlOf(after) !== undefined && urlOf(after) !== urlOf(before);
}

/** A webhook stays one: its consumers and its messages would share the positions. */
const subscriptionConflict: Refused = { refused: { code: "subscription_conflict" } };

/** The body as a caller gets it, without the fields that only storages use. */
export function shownSubscription(body: SubscriptionRow["body"]): Omit<Subscription, "key"> {
  const { announced: _, ...shown } = body;
  return { ...shown, on: shownTopics(body.on) };
}

function shownTopics(topics: StoredTopics): SubscribedTopics {
  const { own: _, ...shown } = topics;
  return shown;
}

/** The refusal `attribute_conflict` for a valid key that is defined with this type. */
export function attributeConflict(key: string, type: AttributeType): Refused {
  const message = `The attribute "${key}" is defined with the type ${type}.`;
  return { refused: { code: "attribute_conflict", message } };
}

/** Freezes the value and everything in it, and returns it. Storages return definition rows without copying them. */
export function frozen<Value extends object>(value: Value): Value {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) frozen(item as object);
  return Object.freeze(value);
}
