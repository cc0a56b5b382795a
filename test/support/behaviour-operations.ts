import fc from "fast-check";
import type { PropertyType } from "../../lib/declarations.ts";
import type { ChecklistItem } from "../../lib/types.ts";
import { newId } from "../../lib/ids.ts";
import type { Completion, Condition, EventTypeRow } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { anyEventKey, name, place, slice, sliceOf, time, type Operation } from "./operation-parts.ts";

const bound = fc.option(fc.oneof(time, fc.integer({ min: 0, max: 4 })));
const anyField = fc.constantFrom("count", "firstAt", "lastAt");

/** Any condition, in groups up to four deep. */
export const anyCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => {
  const parts = fc.array(tie("condition"), { minLength: 1, maxLength: 3 });
  return {
    condition: fc.oneof(
      { maxDepth: 3, depthIdentifier: "condition" },
      fc.record({ eventKey: anyEventKey, field: anyField, from: bound, to: bound }),
      fc.record({ not: tie("condition") }),
      fc.record({ all: parts }),
      fc.record({ any: parts }),
    ),
  };
}).condition;

const members = fc.tuple(place, anyCondition, slice).map(([at, condition, wanted]): Operation => (memory) => {
  const workspace = memory.workspaces[at]!;
  const page = sliceOf(wanted, memory.contacts);
  return async (storage) => [
    await storage.listMembers(workspace, condition, page),
    await storage.countMembers(workspace, condition),
    await assertRecounted(storage, workspace, condition),
  ];
});

const anyWhen = fc.oneof(
  fc.record({ kind: fc.constant("has_done" as const), eventKey: anyEventKey }),
  fc.record({ kind: fc.constant("count_greater_than" as const), eventKey: anyEventKey, count: fc.nat(3) }),
);
const anyItems = fc
  .array(fc.option(anyWhen, { nil: undefined }), { minLength: 1, maxLength: 4 })
  .map((rules) =>
    rules.map((when, index): ChecklistItem => ({ key: `i${index}`, name: "Item", ...(when && { when }) })),
  );

const checklists = fc
  .tuple(place, fc.constantFrom("start", "Start"), anyItems, time, name)
  .chain(([at, key, items, createdAt, externalId]) =>
    fc.constantFrom<Operation>(
      (memory) => {
        const id = newId(createdAt);
        memory.checklists.push(id);
        const workspace = memory.workspaces[at]!;
        const draft = { workspace, kind: "checklist", key, id, body: { name: key, items }, createdAt } as const;
        return (storage) => storage.putDefinition(draft);
      },
      (memory) => (storage) => storage.listDefinitions(memory.workspaces[at]!, "checklist"),
      (memory) => (storage) => storage.deleteDefinition(memory.workspaces[at]!, "checklist", key),
      (memory) => {
        const checklistId = memory.checklists.at(-1) ?? newId(0);
        const draft = {
          workspace: memory.workspaces[at]!,
          externalId,
          checklistId,
          itemKey: "i0",
          completedAt: createdAt,
        };
        return async (storage) => {
          const contact = await storage.findContact(draft.workspace, externalId);
          return [
            await storage.insertCompletion(draft),
            contact && new Set((await storage.findCompletions(draft.workspace, contact.id)).map(toText)),
          ];
        };
      },
    ),
  );

const anyProperties = fc.record(
  {
    total: fc.constantFrom<PropertyType>("number", "text?", "boolean"),
    coupon: fc.constantFrom<PropertyType>("text", "number?"),
  },
  { requiredKeys: [] },
);

const eventTypes = fc
  .tuple(place, anyEventKey, fc.option(anyProperties), time, fc.option(anyEventKey), fc.integer({ min: 1, max: 4 }))
  .chain(([at, key, properties, createdAt, after, limit]) =>
    fc.constantFrom<Operation>(
      (memory) => {
        const body = { name: null, ...(properties && { properties }) };
        const draft = { workspace: memory.workspaces[at]!, kind: "event", key, id: newId(createdAt), body, createdAt };
        return (storage) => storage.putDefinition(draft as EventTypeRow);
      },
      (memory) => (storage) => storage.listDefinitions(memory.workspaces[at]!, "event", { fresh: limit > 2 }),
      (memory) => (storage) => storage.deleteDefinition(memory.workspaces[at]!, "event", key),
      (memory) => (storage) => storage.listEventUsage(memory.workspaces[at]!, after, limit),
    ),
  );

const toText = ({ itemKey, completedAt }: Completion): string => `${itemKey} ${completedAt}`;

/** What a contact's events amount to, by event key: counted anew, each of them. */
async function recount(storage: Storage, workspace: string, externalId: string): Promise<Map<string, Recounted>> {
  const events = (await storage.listEvents(workspace, externalId, null, { limit: 1_000_000, after: null })) ?? [];
  const recounted = new Map<string, Recounted>();
  for (const { eventKey, createdAt } of events) {
    const times = recounted.get(eventKey) ?? [];
    recounted.set(eventKey, [...times, createdAt]);
  }
  return recounted;
}

type Recounted = number[];

function isTrueOf(condition: Condition, times: Map<string, Recounted>): boolean {
  if ("not" in condition) return !isTrueOf(condition.not, times);
  if ("all" in condition) return condition.all.every((part) => isTrueOf(part, times));
  if ("any" in condition) return condition.any.some((part) => isTrueOf(part, times));
  const { eventKey, field, from, to } = condition;
  const done = times.get(eventKey);
  if (!done) return false;
  const value = { count: done.length, firstAt: Math.min(...done), lastAt: Math.max(...done) }[field];
  return value >= (from ?? -Infinity) && value < (to ?? Infinity);
}

/** Throws unless the members are those of whom the condition is true when all events are counted anew. */
async function assertRecounted(storage: Storage, workspace: string, condition: Condition): Promise<void> {
  const all = { limit: 1_000_000, after: null };
  const expected: string[] = [];
  for (const { id, email, externalId } of await storage.listContacts(workspace, all)) {
    if (isTrueOf(condition, await recount(storage, workspace, externalId ?? email))) expected.push(id);
  }
  const found = (await storage.listMembers(workspace, condition, all)).map(({ id }) => id);
  if (found.join() !== expected.sort().join()) throw new Error(`not the members of ${JSON.stringify(condition)}`);
}

/** Any operation on audiences, checklists and event types. */
export const behaviourOperation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: members, weight: 2 },
  { arbitrary: checklists, weight: 2 },
  { arbitrary: eventTypes, weight: 3 },
);
