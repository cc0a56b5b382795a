import fc from "fast-check";
import type { PropertyType } from "../../lib/model/declarations.ts";
import type { ChecklistItem } from "../../lib/model/types.ts";
import { newId } from "../../lib/model/ids.ts";
import type {
  Completion,
  Condition,
  ContactRow,
  ContactTest,
  EventRow,
  EventTypeRow,
  OccurrenceTest,
  ValueTest,
} from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import {
  anyEventKey,
  hostile,
  name,
  place,
  scalar,
  slice,
  sliceOf,
  time,
  type Memory,
  type Operation,
} from "./operation-parts.ts";
import { rowsUpTo } from "../../adapters/storage-contract/drafts.ts";

const bound = fc.option(fc.oneof(time, fc.integer({ min: 0, max: 4 })));
const anyField = fc.constantFrom("count", "firstAt", "lastAt");

const anyValue = fc.oneof(
  { arbitrary: scalar, weight: 2 },
  { arbitrary: name, weight: 3 },
  { arbitrary: time, weight: 1 },
);
const anyPart = fc.oneof(
  name,
  hostile.filter((text) => text !== ""),
  fc.constantFrom("a", "x", "@", "\u0001"),
);
const numberBound = fc.option(fc.oneof(time, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })));

const anyTest: fc.Arbitrary<ValueTest> = fc.oneof(
  fc.constant({ operator: "is_set" as const }),
  fc.record({
    operator: fc.constant("one_of" as const),
    values: fc.array(anyValue, { minLength: 1, maxLength: 12 }),
  }),
  fc.record({ operator: fc.constantFrom("contains", "starts_with", "ends_with"), text: anyPart }),
  fc.record({ operator: fc.constant("within" as const), from: numberBound, to: numberBound }),
);

/** Conditions name attributes and checklists by number, until `withIds` knows their ids. */
const anyContactTest: fc.Arbitrary<ContactTest> = fc
  .tuple(
    fc.oneof(
      fc.record({
        contactField: fc.constantFrom(
          "email",
          "externalId",
          "name",
          "phone",
          "role",
          "plan",
          "signedUpAt",
          "createdAt",
        ),
      }),
      fc.record({ attributeId: fc.constantFrom("0", "1", "2", "3") }),
    ),
    anyTest,
  )
  .map(([target, test]) => ({ ...target, ...test }));

const anyCompletionTest = fc
  .tuple(
    fc.record({
      checklistId: fc.constantFrom("0", "1"),
      itemKeys: fc.constantFrom([], ["i0"], ["i0", "i0"], ["i0", "i1"]),
      counts: fc.array(
        fc.array(fc.record({ eventKey: anyEventKey, count: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 1,
          maxLength: 2,
        }),
        { maxLength: 3 },
      ),
    }),
    fc.option(fc.record({ from: fc.option(time), to: fc.option(time) })),
  )
  .map(([test, within]) => ({ ...test, ...(within && { within }) }));

const anyPropertyTest = fc
  .tuple(
    fc.oneof(hostile, fc.constantFrom("total", "coupon")).filter((text) => text !== "," && !text.startsWith(":")),
    anyTest,
    fc.nat(3),
  )
  .map(([property, test, negated]) => (negated === 0 ? { not: { property, ...test } } : { property, ...test }));

const anyOccurrenceTest = fc.record({
  eventKey: anyEventKey,
  count: fc.integer({ min: 1, max: 3 }),
  from: time,
  to: fc.option(time),
  where: fc.array(anyPropertyTest, { maxLength: 2 }),
});

export function withIds(condition: Condition, memory: Memory, at: number): Condition {
  if ("not" in condition) return { not: withIds(condition.not, memory, at) };
  if ("all" in condition) return { all: condition.all.map((part) => withIds(part, memory, at)) };
  if ("any" in condition) return { any: condition.any.map((part) => withIds(part, memory, at)) };
  const unknown = "00000000-0000-0000-0000-000000000000";
  if ("attributeId" in condition) {
    return { ...condition, attributeId: memory.attributes[at]![Number(condition.attributeId)] ?? unknown };
  }
  if (!("checklistId" in condition)) return condition;
  return { ...condition, checklistId: memory.checklists.at(-1 - Number(condition.checklistId)) ?? unknown };
}

/** Conditions of these parts and others, in groups up to four deep. */
function conditionsOf(...tests: fc.Arbitrary<Condition>[]): fc.Arbitrary<Condition> {
  return fc.letrec<{ condition: Condition }>((tie) => {
    const parts = fc.array(tie("condition"), { minLength: 1, maxLength: 3 });
    return {
      condition: fc.oneof(
        { maxDepth: 3, depthIdentifier: "condition" },
        fc.record({ eventKey: anyEventKey, field: anyField, from: bound, to: bound }),
        anyContactTest,
        anyCompletionTest,
        ...tests,
        fc.record({ not: tie("condition") }),
        fc.record({ all: parts }),
        fc.record({ any: parts }),
      ),
    };
  }).condition;
}

/** Any condition that no pruning changes. */
export const anyLastingCondition: fc.Arbitrary<Condition> = conditionsOf();
export const anyCondition: fc.Arbitrary<Condition> = conditionsOf(anyOccurrenceTest, anyOccurrenceTest);

const members = fc.tuple(place, anyCondition, slice).map(([at, numbered, wanted]): Operation => (memory) => {
  const workspace = memory.workspaces[at]!;
  const condition = withIds(numbered, memory, at);
  const page = sliceOf(wanted, memory.contacts);
  return async (storage) => [
    (await storage.listMembers(workspace, condition, page)).rows,
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
          const contact = await storage.findContact(draft.workspace, { externalId });
          return [
            await storage.insertCompletion(draft),
            contact && new Set((await storage.findCompletions(draft.workspace, contact.id)).map(toText)),
          ];
        };
      },
      (memory) => {
        const workspace = memory.workspaces[at]!;
        const checklistId = memory.checklists.at(-1) ?? newId(0);
        const dismissedAt = createdAt % 2 === 0 ? createdAt : null;
        return async (storage) => {
          const contact = await storage.findContact(workspace, { externalId });
          return [
            await storage.putDismissal({ workspace, externalId, checklistId, dismissedAt }),
            contact && new Set((await storage.findDismissals(workspace, contact.id)).map((row) => row.dismissedAt)),
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
      (memory) => (storage) =>
        storage.listDefinitions(memory.workspaces[at]!, "event", { maxAgeMs: limit > 2 ? 0 : 1_000 }),
      (memory) => (storage) => storage.deleteDefinition(memory.workspaces[at]!, "event", key),
      (memory) => (storage) => storage.listEventUsage(memory.workspaces[at]!, after, rowsUpTo(limit)),
    ),
  );

const toText = ({ itemKey, completedAt }: Completion): string => `${itemKey} ${completedAt}`;

/** What a contact's events amount to, by event key: counted anew, each of them. */
async function recount(storage: Storage, workspace: string, externalId: string): Promise<Map<string, EventRow[]>> {
  const events =
    (await storage.listEvents(workspace, externalId, null, { ...rowsUpTo(1_000_000), after: null }))?.rows ?? [];
  const recounted = new Map<string, EventRow[]>();
  for (const event of events) recounted.set(event.eventKey, [...(recounted.get(event.eventKey) ?? []), event]);
  return recounted;
}

interface Known {
  contact: ContactRow;
  events: Map<string, EventRow[]>;
  completions: readonly Completion[];
}

function isTrueOf(condition: Condition, known: Known): boolean {
  if ("not" in condition) return !isTrueOf(condition.not, known);
  if ("all" in condition) return condition.all.every((part) => isTrueOf(part, known));
  if ("any" in condition) return condition.any.some((part) => isTrueOf(part, known));
  const { contact, events, completions } = known;
  if ("operator" in condition) return isTrueOfValue(valueOf(contact, condition), condition);
  if ("checklistId" in condition) {
    const { checklistId, itemKeys, counts, within } = condition;
    const inTime = completions.filter(({ completedAt }) => {
      const doneAt = completedAt ?? NaN;
      return !within || (doneAt >= (within.from ?? -Infinity) && doneAt < (within.to ?? Infinity));
    });
    const byHand = new Set(inTime.map((completion) => `${completion.checklistId} ${completion.itemKey}`));
    const isDone = counts.map((list) =>
      list.some(({ eventKey, count }) => (events.get(eventKey)?.length ?? 0) >= count),
    );
    return [...isDone, ...itemKeys.map((key) => byHand.has(`${checklistId} ${key}`))].every(Boolean);
  }
  const done = events.get(condition.eventKey)?.map(({ createdAt }) => createdAt);
  if (!done) return false;
  if ("where" in condition) return isOften(condition, events.get(condition.eventKey)!);
  const { field, from, to } = condition;
  const value = { count: done.length, firstAt: Math.min(...done), lastAt: Math.max(...done) }[field];
  return value >= (from ?? -Infinity) && value < (to ?? Infinity);
}

function isOften({ count, from, to, where }: OccurrenceTest, events: readonly EventRow[]): boolean {
  const counted = events.filter(({ createdAt, properties }) => {
    const values = new Map(Object.entries(JSON.parse(properties) as object));
    const isTrue = (test: ValueTest & { property: string }): boolean =>
      isTrueOfValue(values.get(test.property) ?? null, test);
    return (
      createdAt >= from &&
      (to === null || createdAt < to) &&
      where.every((test) => ("not" in test ? !isTrue(test.not) : isTrue(test)))
    );
  });
  return counted.length >= count;
}

function valueOf(contact: ContactRow, test: ContactTest): unknown {
  if ("attributeId" in test) return contact.attributes[test.attributeId] ?? null;
  return test.contactField === "externalId" ? (contact.externalId ?? contact.email) : contact[test.contactField];
}

/** By bytes, unlike `fulfils`. */
function isTrueOfValue(value: unknown, test: ValueTest): boolean {
  if (value === null) return false;
  if (test.operator === "is_set") return true;
  if (test.operator === "one_of") return test.values.some((wanted) => wanted === value);
  if (test.operator === "within") {
    return typeof value === "number" && (test.from ?? -Infinity) <= value && value < (test.to ?? Infinity);
  }
  if (typeof value !== "string") return false;
  const [bytes, part] = [Buffer.from(value), Buffer.from(test.text)];
  if (test.operator === "contains") return bytes.includes(part);
  const end = test.operator === "starts_with" ? bytes.subarray(0, part.length) : bytes.subarray(-part.length);
  return end.equals(part);
}

/** Throws unless the members are those of whom the condition is true when all events are counted anew. */
async function assertRecounted(storage: Storage, workspace: string, condition: Condition): Promise<void> {
  const all = { ...rowsUpTo(1_000_000), after: null };
  const expected: string[] = [];
  for (const contact of (await storage.listContacts(workspace, { ...all, query: "", order: "oldest" })).rows) {
    const { id, email, externalId } = contact;
    const events = await recount(storage, workspace, externalId ?? email);
    const completions = await storage.findCompletions(workspace, id);
    if (isTrueOf(condition, { contact, events, completions })) expected.push(id);
  }
  const found = (await storage.listMembers(workspace, condition, all)).rows.map(({ id }) => id);
  if (found.join() !== expected.sort().join()) throw new Error(`not the members of ${JSON.stringify(condition)}`);
}

/** Any operation on audiences, checklists and event types. */
export const behaviourOperation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: members, weight: 2 },
  { arbitrary: checklists, weight: 2 },
  { arbitrary: eventTypes, weight: 3 },
);
