import assert from "node:assert/strict";
import type { Definitions, Workspace } from "../../../lib/index.ts";
import { countedItems, countedKey } from "./calls.ts";

/** The definitions of a run. They stay as they are. */
const places = Array.from({ length: countedItems }, (_, count) => ({
  key: `n${count + 1}`,
  name: `Place ${count + 1}`,
  when: { kind: "count_greater_than", eventKey: countedKey, count } as const,
}));
const attribute = { key: "mark", type: "text", name: "Mark" } as const;
const eventType = { key: "other", name: "Other", properties: { tag: "text" } } as const;
const rule = { kind: "count_greater_than", eventKey: "plain", count: 2 } as const;
const audience = { key: "frequent", name: "Frequent", rule };
const checklist = { key: "places", name: "Places", items: [...places, { key: "by_hand", name: "By hand" }] };
const subscription = { key: "everything", on: { events: true, contacts: true, checklists: true } } as const;
export const definitions: Definitions = {
  attributes: [attribute],
  events: [eventType],
  audiences: [audience],
  checklists: [checklist],
  subscriptions: [subscription],
};

/** With members of a watched audience. */
const watched: Definitions = {
  ...definitions,
  subscriptions: [{ ...subscription, on: { ...subscription.on, audiences: ["frequent"] } }],
};

type Method = (tracker: Workspace, name: string) => Promise<unknown>;

/** The methods that no step calls, with the contact of that name where they take one. */
const methods: Readonly<Record<string, Method>> = {
  "contacts.list": ({ contacts }) => contacts.list({ limit: 20, query: "s" }),
  "contacts.count": ({ contacts }) => contacts.count(),
  "contacts.audiences": ({ contacts }, name) => contacts.audiences(name),
  "contacts.export": ({ contacts }, name) => contacts.export(name),
  "events.list": async ({ events }, name) => {
    const { items } = await events.list(name, { limit: 50 });
    const order = items.map(({ createdAt, id }) => `${createdAt} ${id}`);
    assert.deepEqual(order, order.toSorted().toReversed(), "events.list is in order");
  },
  "events.recent": ({ events }) => events.recent({ limit: 20, eventKey: "plain" }),
  activity: ({ activity }) =>
    activity({ from: new Date(Date.now() - 86_400_000), to: new Date(), by: "day", total: true }),
  "eventTypes.define": ({ eventTypes }) => eventTypes.define(eventType),
  "eventTypes.list": ({ eventTypes }) => eventTypes.list(),
  "eventTypes.usage": ({ eventTypes }) => eventTypes.usage(),
  "attributes.define": ({ attributes }) => attributes.define(attribute),
  "attributes.list": ({ attributes }) => attributes.list(),
  "audiences.define": ({ audiences }) => audiences.define(audience),
  "audiences.list": ({ audiences }) => audiences.list(),
  "audiences.members": ({ audiences }) => audiences.members("frequent"),
  "audiences.count": ({ audiences }) => audiences.count("frequent"),
  "audiences.explain": ({ audiences }, name) => audiences.explain("frequent", name),
  "checklists.define": ({ checklists }) => checklists.define(checklist),
  "checklists.list": ({ checklists }) => checklists.list(),
  "checklists.progress": ({ checklists }, name) => checklists.progress(name),
  "checklists.counts": ({ checklists }) => checklists.counts("places"),
  "checklists.complete": ({ checklists }, name) => checklists.complete(name, "places", "by_hand"),
  "checklists.dismiss": ({ checklists }, name) => checklists.dismiss(name, "places"),
  "checklists.restore": ({ checklists }, name) => checklists.restore(name, "places"),
  "subscriptions.define": ({ subscriptions }) => subscriptions.define(subscription),
  "subscriptions.list": ({ subscriptions }) => subscriptions.list(),
  "apiKeys.list": ({ apiKeys }) => apiKeys.list(),
  provision: ({ provision }) => provision(definitions),
  compare: ({ compare }) => compare(definitions),
  removeUnlisted: ({ removeUnlisted }) => removeUnlisted(definitions, { dryRun: true }),
};

export const otherMethods: readonly string[] = Object.keys(methods);
/** Makes the definitions of a workspace that may have been deleted, and watches an audience. */
export const provisionWatched = "provision watched";

export async function callOther(tracker: Workspace, method: string, name: string): Promise<void> {
  if (method === provisionWatched) await tracker.provision(watched);
  else await methods[method]!(tracker, name);
}
