import { countMembers, explainMember, listMembers, previewMembers } from "../../audiences.ts";
import { ruleOfContactStruct } from "../../input/definition-structs.ts";
import { parse } from "../../input/shapes.ts";
import { pageOutput, pageQuery } from "./pages.ts";
import { route, type Route } from "./route.ts";

const kept = { "eventsKeptSince?": "EventsKeptSince" } as const;

export const audienceRoutes: readonly Route[] = [
  route("listMembers", {
    query: pageQuery,
    summary: "List the contacts that an audience's rule matches now.",
    output: { ...pageOutput("Contacts"), ...kept },
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key }, query }) => listMembers(scope, key, query),
  }),
  route("countMembers", {
    summary: "Count the contacts that an audience's rule matches now.",
    output: { count: "Count", ...kept },
    refusals: ["definition_not_found"],
    call: ({ scope, parameters: { key } }) => countMembers(scope, key),
  }),
  route("explainMember", {
    summary: "Explain why an audience's rule matches a contact now, or does not.",
    output: "Explanation",
    refusals: ["definition_not_found", "contact_not_found"],
    call: ({ scope, parameters: { key, externalId } }) => explainMember(scope, key, externalId),
  }),
  route("previewAudience", {
    summary: "Count the contacts that a rule matches now, and list a page of them.",
    input: "Preview",
    output: { "count?": "Count", ...pageOutput("Contacts"), ...kept },
    call: ({ scope, body }) => previewMembers(scope, body),
  }),
  route("explainRule", {
    summary: "Explain why a rule matches a contact now, or does not.",
    input: "RuleOfContact",
    output: "Explanation",
    refusals: ["contact_not_found"],
    async call({ scope, body }) {
      const { rule, externalId } = parse(body, ruleOfContactStruct);
      return explainMember(scope, rule, externalId);
    },
  }),
];
