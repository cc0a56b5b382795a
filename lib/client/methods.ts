import { created } from "../http/statuses.ts";
import type { Definitions, Page } from "../model/types.ts";
import type { Workspace } from "../methods/index.ts";
import { writeMany, type ItemSource } from "../bulk/many.ts";
import { eachEventOf, eachItem, isPageOfAll } from "../bulk/each.ts";
import { createBatcher, sent, writesBy, type Batcher, type ItemAnswer, type ItemWrites, type Sent } from "./batches.ts";
import { eachChange, type AskForChanges } from "./changes.ts";
import { queryOf, segments, toJson } from "./encoding.ts";
import { changesOptions, flagOf, keyToSend, toObject } from "./options.ts";
import { unlessNotFound, withoutSuccess, type Reply } from "./answers.ts";
import type { Ask } from "./transport.ts";
import { createPatience, orAborted, pause, type Retry } from "./retries.ts";

/** The methods of a workspace that the HTTP API answers. */
export type Methods<Defined extends Definitions = Definitions> = Pick<
  Workspace<never, Defined>,
  "contacts" | "eventTypes" | "attributes" | "audiences" | "checklists" | "apiKeys"
> & {
  events: Omit<Workspace<never, Defined>["events"], "prune">;
  subscriptions: Omit<Workspace<never, Defined>["subscriptions"], "consume">;
};

/** The methods without types: the server knows the types, and validates inputs as a tracker does. */
type Implementation = {
  [Group in keyof Methods]: {
    [Name in keyof Methods[Group]]: (...args: unknown[]) => Promise<unknown> | AsyncGenerator<unknown>;
  };
};

type Request = Omit<Ask, "signal"> & Partial<Pick<Ask, "signal">>;
type Fields = Record<string, unknown>;

export interface MethodsOptions {
  onRetry(retry: Retry): void;
  maxWaitMs: number;
  signal: AbortSignal | undefined;
  /** Aborted when the client is closed. */
  closed: AbortSignal;
}

/** The fields of a page, and of the answers to writes. */
const pageFields = ["items", "nextCursor"];
const upsertedFields = ["contact"];
const trackedFields = ["event", "completedChecklistItems"];

/**
 * Most methods send one request. `contacts.count`, and counting a bare rule, ask for a page of one contact; `upsertMany` and
 * `trackMany` send batches.
 */
export function createMethods<Defined extends Definitions>(
  send: (request: Request) => Promise<Reply>,
  { onRetry, maxWaitMs, signal, closed }: MethodsOptions,
): Methods<Defined> {
  const ask = async (request: Request): Promise<Fields> => (await send(request)).body;
  const get = (path: string, fields: readonly string[], parameters?: unknown): Promise<Fields> =>
    ask({ method: "GET", path: path + queryOf(parameters), fields });
  const getOne = async (path: string, field: string): Promise<unknown> => (await get(path, [field]))[field];
  const write = (method: Request["method"], path: string, input: unknown, fields: readonly string[]): Promise<Fields> =>
    ask({ method, path, body: toJson(input), fields });
  const remove = async (path: string, fields: readonly string[] = []): Promise<Fields> =>
    ask({ method: "DELETE", path, fields });

  const contact = (externalId: unknown, rest = ""): string => `/contacts/${segments({ externalId })[0]}${rest}`;
  const key = (path: string, of: unknown, rest = ""): string => `${path}/${segments({ key: of })[0]}${rest}`;
  const page = async (path: string, parameters: unknown): Promise<Page<{ contactId: string }>> =>
    withoutSuccess(await get(path, pageFields, parameters)) as never;
  const itemsOf = (pathOf: () => string, request: unknown): AsyncGenerator<unknown> =>
    eachItem(
      (asked) => page(pathOf(), asked),
      () => toObject(request),
    );
  const definitions = (path: string, field: string) => ({
    define: async (definition: unknown) =>
      (await write("PUT", key(path, toObject(definition)["key"]), definition, [field]))[field],
    list: () => getOne(path, "items"),
    delete: async (of: unknown) => void (await remove(key(path, of))),
  });
  const checklist = async (deed: "complete" | "dismiss" | "restore", of: Record<string, unknown>): Promise<unknown> => {
    const [identifier, checklistKey, item] = segments(of);
    const path = `/contacts/${identifier}/checklists/${checklistKey}${item === undefined ? "" : `/items/${item}`}/${deed}`;
    return (await ask({ method: "POST", path, fields: ["checklist"] }))["checklist"];
  };
  const release = async (of: unknown, changeId: unknown, how: "retry" | "drop"): Promise<void> => {
    const [subscription, change] = segments({ key: of, changeId });
    await ask({ method: "POST", path: `/subscriptions/${subscription}/parked/${change}/${how}` });
  };
  const preview = (rule: unknown, parameters: unknown, fields: readonly string[]): Promise<Fields> =>
    write("POST", "/audiences/preview", { ...toObject(parameters), rule }, fields);

  /** The batches of one list, which share their time. */
  const batchesOf = (path: string, fields: readonly string[], options: unknown): Batcher => {
    const method = "POST";
    const patience = createPatience(maxWaitMs);
    return createBatcher({
      isSilent: flagOf(options, "notify") === false,
      send: async (body) => (await ask({ method, path, body, fields: ["items"], patience }))["items"],
      pause: async (attempt, error) => pause({ method, path, attempt, error }, { onRetry, signal, patience }),
      fields,
      patience,
    });
  };
  // `send` aborts requests. The call may also wait for an item or for `each`, without a request.
  const many = async (items: unknown, writes: ItemWrites, each: unknown) =>
    orAborted(signal, () => writeMany(items as ItemSource<unknown>, writes, each as never));

  const upserted = async (method: "POST" | "PUT", path: string, input: unknown): Promise<unknown> =>
    toUpserted(await send({ method, path, body: toJson(input), fields: upsertedFields }));
  const manyContacts = (items: unknown, each: unknown, options: unknown, toSend: (item: unknown) => unknown) => {
    const batches = batchesOf("/contacts/batch", upsertedFields, options);
    return many(
      items,
      writesBy(batches, (item) => sent(toJson(toSend(item)), toUpserted)),
      each,
    );
  };

  async function* changesOf(of: unknown, options: unknown): AsyncGenerator<unknown> {
    const { after, signal: given } = changesOptions(options);
    const path = key("/subscriptions", of, "/changes");
    const askFor: AskForChanges = (query, own) => {
      const waitMs = 1_000 * query.wait;
      return ask({ method: "GET", path: path + queryOf(query), fields: ["items", "cursor"], waitMs, signal: own });
    };
    const signals = [given, signal, closed].filter((one) => one !== undefined);
    yield* eachChange(askFor, after, AbortSignal.any(signals));
  }

  const methods: Implementation = {
    contacts: {
      upsert: async (input) => upserted("POST", "/contacts", input),
      put: async (externalId, fields) => upserted("PUT", contact(externalId), fields),
      get: async (externalId) => unlessNotFound(getOne(contact(externalId), "contact")),
      update: async (externalId, changes) =>
        (await write("PATCH", contact(externalId), changes, ["contact"]))["contact"],
      delete: async (identifier, options) => {
        const path = `/contacts/${segments({ identifier })[0]}`;
        const ifExists = flagOf(options, "ifExists") === true;
        const removed = remove(path, ["deleted"]).then(({ deleted }) => deleted);
        return ifExists ? unlessNotFound(removed) : removed;
      },
      upsertMany: async (items, each, options) => manyContacts(items, each, options, (item) => item),
      putMany: async (items, each, options) =>
        manyContacts(items, each, options, (item) => ({ ...toObject(item), by: "externalId" })),
      list: async (request) => page("/contacts", request),
      each: (request) => itemsOf(() => "/contacts", request),
      count: () => getOne("/contacts?limit=1&count=true", "total"),
      audiences: async (externalId) => getOne(contact(externalId, "/audiences"), "items"),
      export: async (externalId) => getOne(contact(externalId, "/export"), "export"),
    },
    events: {
      track: async (input, options) => {
        const { key: idempotencyKey, isNew } = keyToSend(options);
        const headers = { "idempotency-key": `"${idempotencyKey}"` };
        const request = { method: "POST", path: "/events", body: toJson(input), headers } as const;
        const { body, headers: answered } = await send({ ...request, fields: trackedFields });
        return toTracked({ body, replayed: answered.has("idempotent-replayed") }, isNew);
      },
      trackMany: async (items, each, options) => {
        const prepare = (item: unknown): Sent => {
          const { idempotencyKey, ...event } = toObject(item);
          const isNew = idempotencyKey === undefined;
          const json = toJson({ ...event, idempotencyKey: isNew ? crypto.randomUUID() : idempotencyKey });
          return sent(json, (answer) => toTracked(answer, isNew));
        };
        return many(items, writesBy(batchesOf("/events/batch", trackedFields, options), prepare), each);
      },
      list: async (externalId, request) => page(contact(externalId, "/events"), request),
      recent: async (request) => page("/events", request),
      each: (chosen, request) =>
        isPageOfAll(chosen, request)
          ? itemsOf(() => "/events", chosen)
          : eachEventOf(
              (asked) => page(contact(chosen, "/events"), asked),
              () => methods.contacts.get(chosen) as Promise<{ id: string } | null>,
              () => toObject(request),
            ),
    },
    eventTypes: {
      ...definitions("/event-types", "eventType"),
      usage: async (request) => page("/event-types/usage", request),
    },
    attributes: definitions("/attributes", "attribute"),
    audiences: {
      ...definitions("/audiences", "audience"),
      members: async (chosen, request) => {
        if (typeof chosen === "string") return page(key("/audiences", chosen, "/members"), request);
        const { items, nextCursor, eventsKeptSince } = await preview(
          chosen,
          { ...toObject(request), count: false },
          pageFields,
        );
        return { items, nextCursor, ...(eventsKeptSince !== undefined && { eventsKeptSince }) };
      },
      each: (of, request) => itemsOf(() => key("/audiences", of, "/members"), request),
      count: async (chosen) =>
        (typeof chosen === "string"
          ? await get(key("/audiences", chosen, "/count"), ["count"])
          : await preview(chosen, { limit: 1 }, ["count"]))["count"],
      explain: async (chosen, externalId) => {
        if (typeof chosen !== "string")
          return (await write("POST", "/audiences/explain", { rule: chosen, externalId }, ["explanation"]))[
            "explanation"
          ];
        const [audience, identifier] = segments({ key: chosen, externalId });
        return getOne(`/audiences/${audience}/explain/${identifier}`, "explanation");
      },
    },
    checklists: {
      ...definitions("/checklists", "checklist"),
      progress: async (externalId) => getOne(contact(externalId, "/checklists"), "items"),
      counts: async (of) => getOne(key("/checklists", of, "/counts"), "items"),
      complete: (externalId, checklistKey, itemKey) => checklist("complete", { externalId, checklistKey, itemKey }),
      dismiss: (externalId, checklistKey) => checklist("dismiss", { externalId, checklistKey }),
      restore: (externalId, checklistKey) => checklist("restore", { externalId, checklistKey }),
    },
    subscriptions: {
      ...definitions("/subscriptions", "subscription"),
      changes: (of, options) => changesOf(of, options),
      recent: async (of, request) => getOne(key("/subscriptions", of, "/changes/recent") + queryOf(request), "items"),
      backlog: async (of) => getOne(key("/subscriptions", of, "/backlog"), "backlog"),
      parked: async (of, request) => page(key("/subscriptions", of, "/parked"), request),
      retry: (of, changeId) => release(of, changeId, "retry"),
      drop: (of, changeId) => release(of, changeId, "drop"),
      resume: async (of, options) => void (await write("POST", key("/subscriptions", of, "/resume"), options, [])),
    },
    apiKeys: {
      create: async (input) => {
        const request = { method: "POST", path: "/api-keys", body: toJson(input), isRepeatable: false } as const;
        return withoutSuccess(await ask({ ...request, fields: ["key", "apiKey"] }));
      },
      list: () => getOne("/api-keys", "items"),
      own: async () => withoutSuccess(await get("/key", ["workspace", "apiKey"])),
      revoke: async (id) => void (await remove(`/api-keys/${segments({ id })[0]}`)),
    },
  };
  return methods as unknown as Methods<Defined>;
}

function toUpserted({ status, body }: ItemAnswer): object {
  return { contact: body["contact"], created: status === created };
}

/** A replay under a new key repeats an earlier try of the same call, so it does not count as replayed. */
function toTracked({ body, replayed = false }: Omit<ItemAnswer, "status">, isNew: boolean): object {
  const { event, completedChecklistItems } = body;
  return { event, completedChecklistItems, replayed: replayed && !isNew };
}
