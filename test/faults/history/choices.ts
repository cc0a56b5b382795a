import {
  countedKey,
  deletedSlots,
  eventKeys,
  namesOf,
  pastMs,
  pastStart,
  slots,
  workspaces,
  type Call,
  type CallKind,
  type Fields,
  type Step,
} from "./calls.ts";
import { otherMethods, provisionWatched } from "./other-methods.ts";
import type { Random } from "./random.ts";

const kinds: Record<Exclude<CallKind, "deleteWorkspace">, number> = {
  one: 45,
  pair: 12,
  many: 8,
  import: 2,
  transaction: 12,
  within: 12,
  prune: 1,
  apiKey: 1,
  other: 10,
};

const steps: Record<Step["do"], number> = { track: 52, upsert: 16, put: 14, update: 13, delete: 2, get: 10 };

const pauseMaxMs = 1_500;

/** So many calls are in a workspace that is deleted now and then. */
const workspacesOneIn = 3;

export const isolations = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"] as const;

/** Chooses the call of this number and id. `pruneBefore` is where a pruning is to end. */
export function chooseCall(random: Random, id: string, number: number, pruneBefore: () => number): Call {
  const call = chooseInDefault(random, id, number, pruneBefore);
  if (call.do === "prune" || !random.isOneIn(workspacesOneIn)) return call;
  // Nothing but the deletion of a workspace is to remove its contacts.
  const kept = call.steps.map((step): Step => (step.do === "delete" ? { ...step, do: "get" } : step));
  const method = call.do === "other" && random.isOneIn(2) ? { method: provisionWatched } : {};
  return { ...call, ...method, steps: kept, workspace: random.pick(workspaces) };
}

function chooseInDefault(random: Random, id: string, number: number, pruneBefore: () => number): Call {
  const kind = random.weighted(kinds);
  const slot = random.below(slots);
  // Transactions that write to several contacts meet in deadlocks.
  const hasSeveral = kind === "transaction" || kind === "within";
  const choose = (index: number, only?: Step["do"]): Step => {
    const ofSlot = hasSeveral ? random.below(slots) : slot;
    return chooseStep(
      random,
      `${id}/${index}`,
      kind === "import" ? null : number,
      ofSlot,
      only ?? random.weighted(steps),
    );
  };
  const list = (length: number, only?: Step["do"]): Step[] => Array.from({ length }, (_, index) => choose(index, only));
  if (kind === "one") return { do: kind, steps: list(1) };
  if (kind === "pair") {
    // Two calls of one method that name the contact alike.
    const pair = list(2, random.pick(["track", "upsert", "put"]));
    // A first event names its contact by the email.
    const { name } = pair.find((step) => step.do === "track" && step.isFirst) ?? pair[0]!;
    return { do: kind, steps: pair.map((step) => ({ ...step, name })) };
  }
  if (kind === "many" && random.isOneIn(2)) {
    // New events of several contacts, which the storage has a shortcut for.
    const events = Array.from({ length: slots }, (_, index): Step => {
      return { do: "track", slot: index, name: namesOf(index).emails[0], eventKey: "plain", tag: `${id}/${index}` };
    });
    return { do: kind, steps: events };
  }
  if (kind === "many") {
    const several = list(2 + random.below(12), random.pick(["track", "upsert", "put"]));
    return { do: kind, steps: several, isQuiet: random.isOneIn(3) };
  }
  if (kind === "import") {
    const imported = list(2 + random.below(6), random.pick(["track", "upsert"]));
    return { do: kind, steps: imported, goesOn: random.isOneIn(2) };
  }
  if (hasSeveral) {
    const length = 1 + random.below(4);
    const own = { id, at: random.below(length + 1) };
    const isArray = random.isOneIn(4);
    const call = {
      do: kind,
      steps: list(length, isArray ? random.pick(["track", "upsert", "put"]) : undefined),
      own,
      isArray,
      ...(random.isOneIn(4) && { completes: namesOf(random.below(slots)).emails[0] }),
      givesUp: random.isOneIn(6),
      goesOn: random.isOneIn(2),
    };
    if (kind === "transaction") return call;
    // Now and then others commit in between what wrote later.
    const pauseMs = random.isOneIn(4) ? random.below(pauseMaxMs) : 0;
    return { ...call, isolation: random.pick(isolations), pauseMs };
  }
  if (kind === "prune") return { do: kind, steps: [], before: new Date(pruneBefore()).toISOString() };
  if (kind === "apiKey") return { do: kind, steps: [], name: id, givesUp: random.isOneIn(2) };
  // What is completed by hand is to be deleted with its contact.
  const method = random.isOneIn(3) ? "checklists.complete" : random.pick(otherMethods);
  return { do: kind, steps: [], method, name: chooseName(random, slot) };
}

/**
 * The tags of the steps of a call differ, and so do those of all calls. The number of the call chooses idempotency keys; `null`
 * for an event of an import, which has a key of its own and is not of the past.
 */
function chooseStep(random: Random, tag: string, number: number | null, slot: number, kind: Step["do"]): Step {
  const name = chooseName(random, slot);
  if (kind === "delete" || kind === "get") return { do: slot < deletedSlots ? kind : "get", slot, name };
  if (kind === "update") return { do: kind, slot, name, fields: chooseFields(random, tag, slot, true) };
  if (kind === "put") {
    const { externalIds, emails } = namesOf(slot);
    const email = random.isOneIn(4) ? {} : { email: random.pick(emails) };
    const { externalId: _, ...fields } = chooseFields(random, tag, slot, false);
    return {
      do: kind,
      slot,
      name: random.isOneIn(4) ? externalIds[1] : externalIds[0],
      fields: { ...fields, ...email },
    };
  }
  if (kind === "upsert") {
    const { emails } = namesOf(slot);
    const email = random.isOneIn(5) ? emails[1] : emails[0];
    return { do: kind, slot, name: email, fields: chooseFields(random, tag, slot, false) };
  }
  if (number !== null && random.isOneIn(3)) return keyedEvent(random, tag, number, slot);
  const event = { do: kind, slot, name, eventKey: random.pick(eventKeys), tag };
  if (number !== null && random.isOneIn(8)) return { ...event, name: random.pick(namesOf(slot).emails), isFirst: true };
  // Some of the past, which is refused once it was pruned.
  if (number === null || !random.isOneIn(10)) return event;
  return { ...event, createdAt: new Date(pastStart + random.below(pastMs)).toISOString() };
}

/** An event whose key other calls have too: all with the same body, but for a few. */
function keyedEvent(random: Random, tag: string, number: number, slot: number): Step {
  const part = random.below(4);
  const idempotencyKey = `k${slot}.${Math.floor(number / 20)}.${part}`;
  const event = { do: "track", slot, name: namesOf(slot).emails[0], idempotencyKey } as const;
  if (random.isOneIn(12)) return { ...event, eventKey: "other", tag };
  return { ...event, eventKey: part < 2 ? countedKey : "plain", tag: idempotencyKey };
}

function chooseName(random: Random, slot: number): string {
  const { emails, externalIds } = namesOf(slot);
  return random.isOneIn(3) ? random.pick([emails[1], ...externalIds]) : emails[0];
}

function chooseFields(random: Random, tag: string, slot: number, mayRename: boolean): Fields {
  const { emails, externalIds } = namesOf(slot);
  const fields: Fields = { [random.pick(["name", "plan", "role", "mark"] as const)]: tag };
  if (random.isOneIn(12)) fields.externalId = random.pick([...externalIds, null, null]);
  if (mayRename && random.isOneIn(12)) fields.email = random.pick(emails);
  return fields;
}
