import { countMembers, explainMember, listMembers, previewMembers } from "../../audiences.ts";
import { ruleOfContactStruct } from "../../input/definition-structs.ts";
import { parse } from "../../input/shapes.ts";
import { ok } from "../statuses.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

const kept = { "eventsKeptSince?": "EventsKeptSince" } as const;

export const audienceRoutes: readonly Route[] = [
  {
    ...at("listMembers"),
    query: pageQuery,
    summary: "List the contacts that an audience's rule matches now.",
    successes: [ok],
    output: { ...pageOutput("Contacts"), ...kept },
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters, query }) => ({
      status: ok,
      body: await listMembers(scope, parameters["key"], query),
    }),
  },
  {
    ...at("countMembers"),
    query: {},
    summary: "Count the contacts that an audience's rule matches now.",
    successes: [ok],
    output: { count: "Count", ...kept },
    refusals: ["definition_not_found"],
    run: async ({ scope, parameters }) => ({
      status: ok,
      body: await countMembers(scope, parameters["key"]),
    }),
  },
  {
    ...at("explainMember"),
    query: {},
    summary: "Explain why an audience's rule matches a contact now, or does not.",
    successes: [ok],
    output: { explanation: "Explanation" },
    refusals: ["definition_not_found", "contact_not_found"],
    run: async ({ scope, parameters: { key, externalId } }) => ({
      status: ok,
      body: { explanation: await explainMember(scope, key, externalId) },
    }),
  },
  {
    ...at("previewAudience"),
    query: {},
    summary: "Count the contacts that a rule matches now, and list a page of them.",
    input: "Preview",
    successes: [ok],
    output: { "count?": "Count", ...pageOutput("Contacts"), ...kept },
    refusals: [],
    run: async ({ scope, body }) => ({ status: ok, body: await previewMembers(scope, body) }),
  },
  {
    ...at("explainRule"),
    query: {},
    summary: "Explain why a rule matches a contact now, or does not.",
    input: "RuleOfContact",
    successes: [ok],
    output: { explanation: "Explanation" },
    refusals: ["contact_not_found"],
    async run({ scope, body }) {
      const { rule, externalId } = parse(body, ruleOfContactStruct);
      return { status: ok, body: { explanation: await explainMember(scope, rule, externalId) } };
    },
  },
];
