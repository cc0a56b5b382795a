import { countActivity } from "../activity.ts";
import { createApiKey, listApiKeys, ownApiKey, revokeApiKey } from "../api-keys.ts";
import { defineAttribute, listAttributes } from "../definitions/attributes.ts";
import * as audiences from "../audiences.ts";
import * as checklists from "../checklists/index.ts";
import { writeArray } from "../bulk/array.ts";
import { writeMany } from "../bulk/many.ts";
import { compare } from "../provisioning/compare.ts";
import { readBacklog } from "../consumers/backlog.ts";
import { consume } from "../consumers/consume.ts";
import { listParked, releaseParked, resume } from "../consumers/parked.ts";
import { exportContact } from "../exports/contact.ts";
import * as contacts from "../contacts/index.ts";
import * as upserts from "../contacts/upserts.ts";
import { deleteDefinition, readingOnce } from "../definitions/index.ts";
import { dismissChecklist, restoreChecklist } from "../checklists/dismissals.ts";
import { defineEventType, eventTypeUsage, listEventTypes } from "../definitions/event-types.ts";
import { eachEvent, eventWrites, listEvents, listRecentEvents, trackEvent } from "../events/index.ts";
import { parse } from "../input/shapes.ts";
import { transactionOptionsStruct } from "../input/structs.ts";
import { withoutMore } from "../model/arguments.ts";
import { isTrackerError } from "../model/errors.ts";
import { provision } from "../provisioning/provision.ts";
import { removeUnlisted } from "../provisioning/remove-unlisted.ts";
import { eachChange, listRecentChanges } from "../changes/read.ts";
import { pruneEvents } from "../events/pruning.ts";
import type { Scope } from "../scope.ts";
import { defineSubscription, listSubscriptions } from "../definitions/subscriptions.ts";
import type { Definitions, Deletion } from "../model/types.ts";
import { createSecret, deleteSecret, enableWebhook, listSecrets, sendTest, webhookStatus } from "../webhooks/index.ts";
import type { InTransaction, MethodsAnywhere } from "../in-transaction.ts";
import type { Workspace } from "./index.ts";

/** The methods of the scope's workspace. `provision` without an argument stores the `listed` definitions. */
export function createWorkspace<Connection>(
  scope: Scope<Connection>,
  listed: Definitions | undefined,
): Workspace<Connection> {
  const anywhere = methodsAnywhere(scope);
  return withoutMore<Workspace<Connection>>({
    contacts: {
      ...anywhere.contacts,
      upsertMany: async (items, each, options) =>
        writeMany(items, upserts.contactWrites(scope, upserts.prepareUpsert, options), each),
      putMany: async (items, each, options) =>
        writeMany(items, upserts.contactWrites(scope, upserts.preparePut, options), each),
      each: (page) => contacts.eachContact(scope, page),
      count: () => contacts.countContacts(scope),
      audiences: (externalId) => audiences.listAudiencesOf(scope, externalId),
      export: (externalId) => exportContact(scope, externalId),
    },
    events: {
      ...anywhere.events,
      trackMany: async (items, each, options) => writeMany(items, eventWrites(scope, options), each),
      recent: (page) => listRecentEvents(scope, page),
      // The overloads yield different types.
      each: (chosen: unknown, page?: unknown) => eachEvent(scope, chosen, page) as never,
      prune: (request, onProgress) => pruneEvents(scope, request, onProgress),
    },
    eventTypes: {
      define: (definition) => defineEventType(scope, definition),
      list: () => listEventTypes(scope),
      delete: (key) => deleteDefinition(scope, "event", key),
      usage: (page) => eventTypeUsage(scope, page),
    },
    attributes: {
      define: (definition) => defineAttribute(scope, definition),
      list: () => listAttributes(scope),
      delete: (key) => deleteDefinition(scope, "attribute", key),
    },
    audiences: {
      define: (definition) => audiences.defineAudience(scope, definition),
      list: () => audiences.listAudiences(scope),
      delete: (key) => deleteDefinition(scope, "audience", key),
      members: (audience, page) => audiences.listMembers(scope, audience, page),
      each: (audience, page) => audiences.eachMember(scope, audience, page),
      count: async (audience) => (await audiences.countMembers(scope, audience)).count,
      explain: (audience, externalId) => audiences.explainMember(scope, audience, externalId),
    },
    checklists: {
      ...anywhere.checklists,
      define: (definition) => checklists.defineChecklist(scope, definition),
      list: () => checklists.listChecklists(scope),
      delete: (key) => deleteDefinition(scope, "checklist", key),
      counts: (checklistKey, began) => checklists.countCompletedItems(scope, checklistKey, began),
      dismiss: (externalId, checklistKey) => dismissChecklist(scope, externalId, checklistKey),
      restore: (externalId, checklistKey) => restoreChecklist(scope, externalId, checklistKey),
    },
    subscriptions: {
      define: (definition) => defineSubscription(scope, definition),
      list: () => listSubscriptions(scope),
      delete: (key) => deleteDefinition(scope, "subscription", key),
      changes: (key, options) => eachChange(scope, key, options),
      recent: (key, options) => listRecentChanges(scope, key, options),
      // The overloads return different types.
      consume: (key: unknown, options: unknown, handler?: unknown) =>
        consume(scope, createMethods, key, options, handler) as never,
      backlog: (key) => readBacklog(scope, key),
      parked: (key, page) => listParked(scope, key, page),
      retry: (key, changeId) => releaseParked(scope, key, changeId, "retry"),
      drop: (key, changeId) => releaseParked(scope, key, changeId, "drop"),
      resume: (key, options) => resume(scope, key, options),
      webhook: (key) => webhookStatus(scope, key),
      secrets: (key) => listSecrets(scope, key),
      createSecret: (key) => createSecret(scope, key),
      deleteSecret: (key, id) => deleteSecret(scope, key, id),
      enable: (key) => enableWebhook(scope, key),
      sendTest: (key) => sendTest(scope, key),
    },
    apiKeys: {
      create: (input) => createApiKey(scope, input),
      list: () => listApiKeys(scope),
      own: () => ownApiKey(scope, null),
      revoke: (id) => revokeApiKey(scope, id),
    },
    activity: (request) => countActivity(scope, request),
    provision: async (definitions) => provision(scope, given(definitions, listed)),
    compare: async (definitions) => compare(scope, given(definitions, listed)),
    removeUnlisted: async (definitions, options) => removeUnlisted(scope, given(definitions, listed), options),
    async transaction(run, options) {
      if (typeof run !== "function") throw new TypeError("transaction takes a function");
      const { tries = 1 } = options === undefined ? {} : parse(options, transactionOptionsStruct);
      for (let tried = 1; ; tried++) {
        try {
          return await scope.storage.transaction(async (storage, connection) =>
            run(createMethods({ ...scope, storage }), connection),
          );
        } catch (error) {
          if (tried === tries || !isRolledBack(error)) throw error;
        }
      }
    },
    within: (transaction) => createMethods({ ...scope, storage: scope.storage.within(transaction) }),
  });
}

/** Whether the storage has rolled the transaction back, with all its writes. */
function isRolledBack(error: unknown): boolean {
  return isTrackerError(error) && error.code === "transaction_lost" && !error.partial;
}

function given(definitions: Definitions | undefined, listed: Definitions | undefined): Definitions {
  const all = definitions === undefined ? listed : definitions;
  if (all === undefined) throw new TypeError("give definitions, to the method or to createTracker");
  return all;
}

/** The methods inside a transaction. */
function createMethods(scope: Scope): InTransaction {
  const anywhere = methodsAnywhere(scope);
  return withoutMore<InTransaction>({
    contacts: {
      ...anywhere.contacts,
      upsertMany: async (items, each, options) =>
        writeArray(items, upserts.contactWrites(readingOnce(scope), upserts.prepareUpsert, options), each),
      putMany: async (items, each, options) =>
        writeArray(items, upserts.contactWrites(readingOnce(scope), upserts.preparePut, options), each),
    },
    events: {
      ...anywhere.events,
      trackMany: async (items, each, options) => writeArray(items, eventWrites(scope, options), each),
    },
    checklists: anywhere.checklists,
  });
}

/** The methods that are the same inside a transaction and outside. */
function methodsAnywhere(scope: Scope): MethodsAnywhere {
  return {
    contacts: {
      upsert: (input) => upserts.upsertContact(scope, input),
      put: (externalId, fields) => upserts.putContact(scope, externalId, fields),
      get: (externalId) => contacts.getContact(scope, externalId),
      update: (externalId, changes) => contacts.updateContact(scope, externalId, changes),
      // Without `ifExists` it does not resolve with `null`.
      delete: (identifier: string, options?: object) =>
        contacts.deleteContact(scope, identifier, options) as Promise<Deletion>,
      list: (page) => contacts.listContacts(scope, page),
    },
    events: {
      track: (input, trackOptions) => trackEvent(scope, input, trackOptions),
      list: (externalId, page) => listEvents(scope, externalId, page),
    },
    checklists: {
      progress: (externalId) => checklists.checklistProgress(scope, externalId),
      complete: (externalId, checklistKey, itemKey) =>
        checklists.completeByHand(scope, externalId, checklistKey, itemKey),
    },
  };
}
