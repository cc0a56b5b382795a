import { hash } from "node:crypto";
import fc from "fast-check";
import { foldEmail } from "../../lib/decisions/find-contact.ts";
import { newId } from "../../lib/model/ids.ts";
import type { ContactFields, ContactReference, ContactPatch } from "../../lib/storage/rows.ts";
import type { Scalar } from "../../lib/model/types.ts";
import {
  anyEventKey,
  hostile,
  index,
  name,
  place,
  scalar,
  slice,
  sliceOf,
  time,
  type Operation,
} from "./operation-parts.ts";

const fields = fc.record(
  {
    externalId: fc.option(name),
    name: fc.option(hostile),
    phone: fc.option(hostile),
    avatarUrl: fc.option(hostile),
    role: fc.option(hostile),
    plan: fc.option(hostile),
    signedUpAt: fc.option(time),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<ContactFields>>;
const attributes = fc.array(fc.tuple(fc.nat(2), fc.option(fc.oneof(scalar, time))), { maxLength: 3 });

function patchOf(
  ids: readonly string[],
  changes: Partial<ContactFields>,
  values: [number, Scalar | null][],
): ContactPatch {
  return {
    fields: changes,
    attributes: Object.fromEntries(values.map(([nth, value]) => [ids[nth]!, value])),
    definedAttributeIds: ids,
  };
}

const upsert = fc
  .tuple(
    place,
    fc.array(fc.tuple(name, fields, attributes, time, fc.nat(4), fc.option(name)), { minLength: 1, maxLength: 3 }),
  )
  .map(([at, drafts]): Operation => (memory) => {
    const workspace = memory.workspaces[at]!;
    const items = drafts.map(([named, changes, values, writtenAt, kind, email]) => {
      const isPut = kind > 2;
      const contact = isPut ? { externalId: named } : { email: foldEmail(named) };
      if (isPut) delete changes.externalId;
      if (isPut && email !== null) changes.email = foldEmail(email);
      const patch = patchOf(memory.attributes[at]!, changes, values);
      const only = kind === 0 ? { insertOnly: true as const } : {};
      const draft = { workspace, contact, id: newId(writtenAt), patch, at: writtenAt, ...only };
      memory.contacts.push({ createdAt: writtenAt, id: draft.id });
      return draft;
    });
    return (storage) => storage.upsertContacts(items);
  });

const update = fc
  .tuple(place, name, fc.option(name.map(foldEmail), { nil: undefined }), fields, attributes, time)
  .map(([at, externalId, email, changes, values, updatedAt]): Operation => (memory) => {
    const patch = patchOf(memory.attributes[at]!, email === undefined ? changes : { ...changes, email }, values);
    const input = { workspace: memory.workspaces[at]!, externalId, patch, at: updatedAt };
    return (storage) => storage.updateContact(input);
  });

const reference: fc.Arbitrary<ContactReference> = fc.oneof(
  name.map((externalId) => ({ externalId })),
  name.map((email) => ({ email: foldEmail(email) })),
);
// Some as the event types have them, some not.
const fewProperties = fc.record({ total: scalar, coupon: scalar }, { requiredKeys: [] });
const draftOfEvent = fc.record({
  reference,
  eventKey: anyEventKey,
  properties: fc.oneof(fc.dictionary(hostile, scalar, { maxKeys: 4 }), fewProperties).map((map) => JSON.stringify(map)),
  createdAt: time,
  key: fc.option(fc.nat(5), { freq: 2 }),
  twice: fc.boolean(),
  mustBeDefined: fc.nat(4).map((n) => n === 0),
});

const record = fc
  .tuple(place, fc.array(draftOfEvent, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([at, drafts, again]): Operation => (memory) => {
    const workspace = memory.workspaces[at]!;
    const items = drafts.flatMap(
      ({ reference: contact, eventKey, properties, createdAt, key, twice, mustBeDefined }) => {
        const id = newId(createdAt);
        memory.events.push({ createdAt, id });
        const idempotencyHash = key === null ? null : hash("sha256", `key ${key}`, "hex");
        const fingerprint = key === null ? null : hash("sha256", properties, "hex");
        const draft = {
          workspace,
          id,
          contact,
          eventKey,
          properties,
          createdAt,
          recordedAt: memory.clock,
          idempotencyHash,
          fingerprint,
          mustBeDefined,
        };
        return twice ? [draft, draft] : [draft];
      },
    );
    return async (storage) => [
      await storage.recordEvents(items),
      // As after a lost answer.
      ...(again ? [await storage.recordEvents(items)] : []),
    ];
  });

const remove = fc.tuple(place, name).map(
  ([at, identifier]): Operation =>
    (memory) =>
    (storage) =>
      storage.deleteContact(memory.workspaces[at]!, identifier, at),
);

const query = fc.oneof(fc.constantFrom("", "a", "ad", "x"), name, hostile).map(foldEmail);

const span = fc.tuple(time, time).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }));

const reads = fc
  .tuple(
    place,
    name,
    fc.option(anyEventKey),
    slice,
    index,
    query,
    fc.boolean(),
    fc.constantFrom("oldest", "newest"),
    fc.array(span),
  )
  .chain(([at, externalId, key, wanted, contact, begin, byWord, order, spans]) =>
    fc.constantFrom<Operation>(
      (memory) => (storage) => storage.findContact(memory.workspaces[at]!, { externalId }),
      (memory) => (storage) => storage.findContact(memory.workspaces[at]!, { email: foldEmail(externalId) }),
      (memory) => {
        const { after, ...size } = sliceOf(wanted, memory.contacts);
        const start = after && byWord && begin !== "" ? { ...after, byWord: true as const } : after;
        return (storage) =>
          storage.listContacts(memory.workspaces[at]!, { ...size, after: start, query: begin, order });
      },
      (memory) => (storage) => storage.countContacts(memory.workspaces[at]!),
      // With this clock no span has ended, so every count is made anew.
      (memory) => (storage) => storage.countActivity(memory.workspaces[at]!, key, spans, -Infinity),
      (memory) => {
        const page = sliceOf(wanted, memory.events);
        return (storage) => storage.listRecentEvents(memory.workspaces[at]!, key, page);
      },
      (memory) => {
        const page = sliceOf(wanted, memory.events);
        return (storage) => storage.listEvents(memory.workspaces[at]!, externalId, key, page);
      },
      (memory) => {
        const id = memory.contacts[contact % memory.contacts.length]?.id ?? newId(0);
        return (storage) => storage.findSummaries(memory.workspaces[at]!, id);
      },
    ),
  );

const definitions = fc
  .tuple(
    place,
    fc.constantFrom("seats", "Seats", "plan"),
    fc.constantFrom("text", "number", "date"),
    fc.option(hostile, { nil: undefined }),
    time,
  )
  .chain(([at, key, type, title, createdAt]) =>
    fc.constantFrom<Operation>(
      (memory) => {
        const body = { type, name: title } as const;
        const draft = {
          workspace: memory.workspaces[at]!,
          kind: "attribute",
          key,
          id: newId(createdAt),
          body,
          createdAt,
        } as const;
        return (storage) => storage.putDefinition(draft);
      },
      (memory) => (storage) => storage.listDefinitions(memory.workspaces[at]!, "attribute"),
      (memory) => (storage) => storage.deleteDefinition(memory.workspaces[at]!, "attribute", key),
    ),
  );

const apiKeys = fc
  .tuple(place, hostile, index, time, fc.integer({ min: 0, max: 5 }))
  .chain(([at, title, chosen, createdAt, n]) =>
    fc.constantFrom<Operation>(
      (memory) => {
        const id = newId(createdAt);
        const row = {
          workspace: memory.workspaces[at]!,
          id,
          name: title,
          prefix: "sk_012345678",
          access: "read" as const,
          requestsPerMinute: chosen,
          expiresAt: null,
          createdAt,
          lastUsedAt: null,
        };
        memory.keys.push({ id, hash: hash("sha256", id, "hex") });
        return (storage) => storage.insertApiKey({ ...row, hash: hash("sha256", id, "hex") });
      },
      (memory) => (storage) => storage.listApiKeys(memory.workspaces[at]!),
      (memory) => {
        const { id, hash: keyHash } = memory.keys[chosen % memory.keys.length] ?? {
          id: newId(0),
          hash: "00".repeat(32),
        };
        return (storage) => (n === 1 ? storage.deleteApiKey(memory.workspaces[at]!, id) : storage.findApiKey(keyHash));
      },
      (memory) => {
        const id = memory.keys[chosen % memory.keys.length]?.id ?? newId(0);
        memory.clock += chosen * 50;
        // Sometimes of a process whose clock is behind.
        const now = memory.clock - (chosen % 3) * 60_000;
        const startsAt = now - (now % 60_000);
        const window = { startsAt, endsAt: startsAt + 60_000, now };
        return (storage) => storage.consume(id, 4, window, n);
      },
    ),
  );

/** Any operation on a storage, on few names, so that operations meet. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: upsert, weight: 4 },
  { arbitrary: update, weight: 4 },
  { arbitrary: record, weight: 5 },
  { arbitrary: remove, weight: 1 },
  { arbitrary: reads, weight: 5 },
  { arbitrary: definitions, weight: 1 },
  { arbitrary: apiKeys, weight: 1 },
);
