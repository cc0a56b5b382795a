import { lineOf } from "../http/routes/lines.ts";
import * as table from "../http/routes/table.ts";
import type { Row } from "../http/routes/table.ts";
import type { Definitions, Page } from "../model/types.ts";
import type { Workspace } from "../methods/index.ts";
import { writeMany, type ItemSource } from "../bulk/many.ts";
import { eachEventOf, eachItem, isPageOfAll } from "../bulk/each.ts";
import { createBatcher, sent, writesBy, type Batcher, type ItemAnswer, type ItemWrites, type Sent } from "./batches.ts";
import { eachChange, type AskForChanges } from "./changes.ts";
import { pathOf, queryOf, toJson, toObject } from "./encoding.ts";
import { changesOptions, flagOf, keyToSend } from "./options.ts";
import { created, resultOf, unlessNotFound, type Reply } from "./answers.ts";
import type { Ask } from "./transport.ts";
import { createPatience, pause, type Retry } from "./retries.ts";
import { orAborted } from "../model/signals.ts";

/** The methods of a workspace that the HTTP API answers. */
export type Methods<Defined extends Definitions = Definitions> = Omit<
  Workspace<never, Defined>,
  "events" | "subscriptions" | "provision" | "compare" | "removeUnlisted" | "transaction" | "within"
> & {
  events: Omit<Workspace<never, Defined>["events"], "prune">;
  subscriptions: Omit<Workspace<never, Defined>["subscriptions"], "consume">;
};

/** The methods without types: the server knows the types, and validates inputs as a tracker does. */
type Implementation = {
  [Group in keyof Methods]: "activity" extends Group ? Method : { [Name in keyof Methods[Group]]: Method };
};

type Method = (...args: unknown[]) => Promise<unknown> | AsyncGenerator<unknown>;

type Request = Omit<Ask, "signal"> & Partial<Pick<Ask, "signal">>;

export interface MethodsOptions {
  onRetry(retry: Retry): void;
  maxWaitMs: number;
  signal: AbortSignal | undefined;
  /** Aborted when the client is closed. */
  closed: AbortSignal;
}

/**
 * Most methods send the request of one route. `contacts.count`, and counting a bare rule, ask for a page of one contact;
 * `upsertMany` and `trackMany` send batches.
 */
export function createMethods<Defined extends Definitions>(
  send: (request: Request) => Promise<Reply>,
  { onRetry, maxWaitMs, signal, closed }: MethodsOptions,
): Methods<Defined> {
  /** Sends the request of a route, with these values in its path. */
  const ask = async (
    row: Row,
    values: readonly unknown[],
    parts: Partial<Request> = {},
    query?: unknown,
  ): Promise<Reply> => {
    const { method, path, fields } = lineOf(row);
    return send({ method, path: pathOf(path, values) + queryOf(query), fields, ...parts });
  };
  const call = async (
    row: Row,
    values: readonly unknown[] = [],
    query?: unknown,
    parts?: Partial<Request>,
  ): Promise<unknown> => resultOf(await ask(row, values, parts, query), row);
  const write = async (
    row: Row,
    values: readonly unknown[],
    input: unknown,
    parts?: Partial<Request>,
  ): Promise<unknown> => call(row, values, undefined, { body: toJson(input), ...parts });
  const upsert = async (row: Row, values: readonly unknown[], input: unknown): Promise<object> =>
    toUpserted(await ask(row, values, { body: toJson(input) }));
  const itemsOf = (row: Row, values: readonly unknown[], request: unknown): AsyncGenerator<unknown> =>
    eachItem(
      (query) => call(row, values, query) as Promise<Page<unknown>>,
      () => toObject(request),
    );
  const definitions = (put: Row, list: Row, remove: Row) => ({
    define: async (definition: unknown) => {
      const { key, ...fields } = toObject(definition);
      return write(put, [key], fields);
    },
    list: () => call(list),
    delete: (key: unknown) => call(remove, [key]),
  });

  /** Makes the batcher of one list, whose batches share one time limit. An item is answered as by `rowOfItem`. */
  const batchesOf = (row: Row, rowOfItem: Row, options: unknown): Batcher => {
    const { method, path, fields } = lineOf(row);
    const patience = createPatience(maxWaitMs);
    return createBatcher({
      isSilent: flagOf(options, "notify") === false,
      send: async (body) => (await send({ method, path, body, fields, patience })).body["items"],
      pause: async (attempt, error) => pause({ method, path, attempt, error }, { onRetry, signal, patience }),
      fields: lineOf(rowOfItem).fields,
      patience,
    });
  };
  // `send` aborts requests. The call may also wait for an item or for `each`, without a request.
  const many = async (items: unknown, writes: ItemWrites, each: unknown) =>
    orAborted(signal, () => writeMany(items as ItemSource<unknown>, writes, each as never));
  const manyContacts = (items: unknown, each: unknown, options: unknown, toSend: (item: unknown) => unknown) => {
    const batches = batchesOf(table.upsertContacts, table.upsertContact, options);
    return many(
      items,
      writesBy(batches, (item) => sent(toJson(toSend(item)), toUpserted)),
      each,
    );
  };

  async function* changesOf(key: unknown, options: unknown): AsyncGenerator<unknown> {
    const { after, signal: given } = changesOptions(options);
    // A server of an earlier version does not answer with `more`.
    const fields = ["items", "cursor"];
    const askFor: AskForChanges = async (query, own) =>
      (await ask(table.listChanges, [key], { fields, waitMs: 1_000 * query.wait, signal: own }, query)).body;
    const signals = [given, signal, closed].filter((one) => one !== undefined);
    yield* eachChange(askFor, after, AbortSignal.any(signals));
  }

  const methods: Implementation = {
    contacts: {
      upsert: (input) => upsert(table.upsertContact, [], input),
      put: (externalId, fields) => upsert(table.putContact, [externalId], fields),
      get: (externalId) => unlessNotFound(call(table.getContact, [externalId])),
      update: (externalId, changes) => write(table.updateContact, [externalId], changes),
      delete: async (identifier, options) => {
        const ifExists = flagOf(options, "ifExists");
        const deleted = call(table.deleteContact, [identifier]);
        return ifExists ? unlessNotFound(deleted) : deleted;
      },
      upsertMany: async (items, each, options) => manyContacts(items, each, options, (item) => item),
      putMany: async (items, each, options) =>
        manyContacts(items, each, options, (item) => ({ ...toObject(item), by: "externalId" })),
      list: (query) => call(table.listContacts, [], query),
      each: (request) => itemsOf(table.listContacts, [], request),
      count: async () =>
        (await ask(table.listContacts, [], { fields: ["total"] }, { limit: 1, count: "true" })).body["total"],
      audiences: (externalId) => call(table.listAudiencesOfContact, [externalId]),
      export: (externalId) => call(table.exportContact, [externalId]),
    },
    events: {
      track: async (input, options) => {
        const { key, isNew } = keyToSend(options);
        const headers = { "idempotency-key": `"${key}"` };
        const { body, headers: answered } = await ask(table.trackEvent, [], { body: toJson(input), headers });
        return toTracked({ body, replayed: answered.has("idempotent-replayed") }, isNew);
      },
      trackMany: async (items, each, options) => {
        const prepare = (item: unknown): Sent => {
          const event = toObject(item);
          const isNew = event["idempotencyKey"] === undefined;
          const json = toJson(isNew ? { ...event, idempotencyKey: crypto.randomUUID() } : event);
          return sent(json, (answer) => toTracked(answer, isNew));
        };
        return many(items, writesBy(batchesOf(table.trackEvents, table.trackEvent, options), prepare), each);
      },
      list: (externalId, query) => call(table.listEvents, [externalId], query),
      recent: (query) => call(table.listRecentEvents, [], query),
      each: (chosen, request) =>
        isPageOfAll(chosen, request)
          ? itemsOf(table.listRecentEvents, [], chosen)
          : eachEventOf(
              (query) => call(table.listEvents, [chosen], query) as Promise<Page<{ contactId: string }>>,
              () => methods.contacts.get(chosen) as Promise<{ id: string } | null>,
              () => toObject(request),
            ),
    },
    eventTypes: {
      ...definitions(table.putEventType, table.listEventTypes, table.deleteEventType),
      usage: (query) => call(table.listEventTypeUsage, [], query),
    },
    attributes: definitions(table.putAttribute, table.listAttributes, table.deleteAttribute),
    audiences: {
      ...definitions(table.putAudience, table.listAudiences, table.deleteAudience),
      members: async (chosen, request) =>
        typeof chosen === "string"
          ? call(table.listMembers, [chosen], request)
          : write(table.previewAudience, [], { ...toObject(request), count: false, rule: chosen }),
      each: (key, request) => itemsOf(table.listMembers, [key], request),
      count: async (chosen) => {
        const { body } =
          typeof chosen === "string"
            ? await ask(table.countMembers, [chosen])
            : await ask(table.previewAudience, [], { body: toJson({ limit: 1, rule: chosen }), fields: ["count"] });
        return body["count"];
      },
      explain: (chosen, externalId) =>
        typeof chosen === "string"
          ? call(table.explainMember, [chosen, externalId])
          : write(table.explainRule, [], { rule: chosen, externalId }),
    },
    checklists: {
      ...definitions(table.putChecklist, table.listChecklists, table.deleteChecklist),
      progress: (externalId) => call(table.getProgress, [externalId]),
      counts: (key, query) => call(table.countCompletedItems, [key], query),
      complete: (externalId, checklistKey, itemKey) => call(table.completeItem, [externalId, checklistKey, itemKey]),
      dismiss: (externalId, checklistKey) => call(table.dismissChecklist, [externalId, checklistKey]),
      restore: (externalId, checklistKey) => call(table.restoreChecklist, [externalId, checklistKey]),
    },
    subscriptions: {
      ...definitions(table.putSubscription, table.listSubscriptions, table.deleteSubscription),
      changes: changesOf,
      recent: (key, query) => call(table.listRecentChanges, [key], query),
      backlog: (key) => call(table.readBacklog, [key]),
      parked: (key, query) => call(table.listParked, [key], query),
      retry: (key, changeId) => call(table.retryChange, [key, changeId]),
      drop: (key, changeId) => call(table.dropChange, [key, changeId]),
      resume: (key, options) => write(table.resumeSubscription, [key], options),
      webhook: (key) => call(table.getWebhook, [key]),
      secrets: (key) => call(table.listSecrets, [key]),
      createSecret: (key) => call(table.createSecret, [key], undefined, { isRepeatable: false }),
      deleteSecret: (key, id) => call(table.deleteSecret, [key, id]),
      enable: (key) => call(table.enableWebhook, [key]),
      sendTest: (key) => call(table.sendTest, [key]),
    },
    activity: (request) => call(table.countActivity, [], request),
    apiKeys: {
      create: (input) => write(table.createApiKey, [], input, { isRepeatable: false }),
      list: () => call(table.listApiKeys),
      own: () => call(table.getOwnApiKey),
      revoke: (id) => call(table.revokeApiKey, [id]),
    },
  };
  return methods as unknown as Methods<Defined>;
}

function toUpserted({ status, body }: ItemAnswer): object {
  return { contact: body["contact"], created: status === created };
}

/** A replay under a new key repeats an earlier try of the same call, so it does not count as replayed. */
function toTracked({ body, replayed = false }: Omit<ItemAnswer, "status">, isNew: boolean): object {
  const { success: _, ...tracked } = body;
  return { ...tracked, replayed: replayed && !isNew };
}
