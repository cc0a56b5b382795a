/** The subjects of the API, and the paths of their routes. A path is about the first subject whose pattern it matches. */
const subjects = {
  events: { paths: /\/(events|activity)/, description: "The events that contacts caused." },
  audiences: {
    paths: /\/(members|count|explain|preview|:externalId\/audiences)\b/,
    description: "Contacts that match a rule now.",
  },
  checklists: {
    paths: /\/(counts|:externalId\/checklists)/,
    description: "The progress of contacts through checklists.",
  },
  changes: { paths: /\/changes/, description: "The log of a subscription." },
  webhooks: {
    paths: /\/subscriptions\/:key\/(webhook|secrets|enable|test)/,
    description: "The messages of a subscription that has a URL.",
  },
  consumers: { paths: /\/(backlog|parked|resume)/, description: "The handlers of a subscription's changes." },
  contacts: { paths: /^\/contacts/, description: "The contacts, and everything kept about them." },
  "api-keys": { paths: /^\/(key$|api-keys)/, description: "The API keys of the workspace." },
  definitions: { paths: /^/, description: "Event types, attributes, audiences, checklists and subscriptions." },
};

/** The tags of the document. */
export const tags: readonly object[] = Object.entries(subjects).map(([name, { description }]) => ({
  name,
  description,
}));

/** The subject of a route. */
export function subjectOf(path: string): string {
  return Object.entries(subjects).find(([, { paths }]) => paths.test(path))![0];
}
