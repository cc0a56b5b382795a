import type { Contact, InTransaction, KeyedEvent, NewContact, PutContact, Tracked } from "../../../lib/index.ts";
import type { Fields, ShownContact, Step, StepAnswer, StepOf } from "./calls.ts";

/** Calls the step's method. */
export async function performStep({ contacts, events }: InTransaction, step: Step): Promise<StepAnswer> {
  switch (step.do) {
    case "upsert":
      return showUpserted(await contacts.upsert(toContact(step)));
    case "put":
      return showUpserted(await contacts.put(step.name, toPut(step)));
    case "update":
      return { contact: show(await contacts.update(step.name, toInput(step.fields))) };
    case "delete":
      return { deleted: (await contacts.delete(step.name)).contactId };
    case "get": {
      const contact = await contacts.get(step.name);
      return { contact: contact && show(contact) };
    }
    case "track": {
      const { idempotencyKey, externalId, ...event } = toEvent(step);
      const named = step.isFirst ? { contact: { email: step.name } } : { externalId };
      return showTracked(await events.track({ ...event, ...named }, { idempotencyKey }));
    }
  }
}

type WritingStep = StepOf<"upsert" | "put" | "update">;

export function toContact({ name, fields }: WritingStep): NewContact {
  return { ...toInput(fields), email: name };
}

export function toPut({ name, fields }: WritingStep): PutContact {
  return { ...toInput(fields), externalId: name };
}

function toInput({ mark, ...fields }: Fields): Omit<NewContact, "email"> & { email?: string } {
  return { ...fields, ...(mark !== undefined && { customAttributes: { mark } }) };
}

export function toEvent({ name, eventKey, tag, idempotencyKey, createdAt }: StepOf<"track">): KeyedEvent {
  return { externalId: name, eventKey, properties: { tag }, idempotencyKey, createdAt };
}

export function showUpserted({ contact, created }: { contact: Contact; created: boolean }): StepAnswer {
  return { contact: show(contact), created };
}

export function showTracked({ event, completedChecklistItems, replayed }: Tracked): StepAnswer {
  return { event: { ...event, items: completedChecklistItems.map(({ itemKey }) => itemKey), replayed } };
}

function show({ id, email, externalId, name, plan, role, customAttributes }: Contact): ShownContact {
  return { id, email, externalId, name, plan, role, mark: (customAttributes["mark"] as string | undefined) ?? null };
}
