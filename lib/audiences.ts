import type { Explanation, AudienceDefinition, Rule, Contact, Page, PageRequest } from "./types.ts";
import { findAttributes } from "./attributes.ts";
import { showContact } from "./contacts.ts";
import { audienceDefinitionStruct, parseExternalId, parseKey, ruleOnlyStruct } from "./input/structs.ts";
import { pageOf, sliceOf, pageRequestStruct } from "./input/pages.ts";
import { define, listDefinitions, notDefined } from "./definitions.ts";
import { TrackerError } from "./errors.ts";
import { normalizeRule } from "./input/rules.ts";
import { explain, conditionOf } from "./decisions/conditions.ts";
import type { Scope } from "./scope.ts";
import type { AudienceRow } from "./storage/rows.ts";
import { parse } from "./input/shapes.ts";

export async function defineAudience(scope: Scope, input: unknown): Promise<AudienceDefinition> {
  const { key, name, rule } = parse(input, audienceDefinitionStruct);
  const body = { name, rule: normalizeRule(rule) };
  return toDefinition(await define<"audience">(scope, { kind: "audience", key, body }));
}

export async function listAudiences(scope: Scope): Promise<AudienceDefinition[]> {
  return (await listDefinitions(scope, "audience")).map(toDefinition);
}

export async function listMembers(scope: Scope, audience: unknown, page: unknown = {}): Promise<Page<Contact>> {
  const chosen = parseAudience(audience);
  const slice = sliceOf(parse<PageRequest>(page, pageRequestStruct));
  const condition = conditionOf(await findRule(scope, chosen), scope.now());
  const rows = await scope.storage.listMembers(scope.workspace, condition, slice);
  const attributes = await findAttributes(scope);
  return pageOf(rows, slice, (row) => showContact(row, attributes));
}

export async function countMembers(scope: Scope, audience: unknown): Promise<number> {
  const rule = await findRule(scope, parseAudience(audience));
  return scope.storage.countMembers(scope.workspace, conditionOf(rule, scope.now()));
}

export async function explainMember(scope: Scope, audience: unknown, identifier: unknown): Promise<Explanation> {
  const chosen = parseAudience(audience);
  const externalId = parseExternalId(identifier);
  const rule = await findRule(scope, chosen);
  const contact = await scope.storage.findContact(scope.workspace, externalId);
  if (!contact) throw new TrackerError("contact_not_found");
  const summaries = await scope.storage.findSummaries(scope.workspace, contact.id);
  return explain(rule, new Map(summaries.map((summary) => [summary.eventKey, summary])), scope.now());
}

/** Returns a key, or a copy of a rule. Called before the first `await`: the caller may change the rule later. */
function parseAudience(audience: unknown): string | Rule {
  return typeof audience === "string"
    ? parseKey(audience)
    : normalizeRule(parse({ rule: audience }, ruleOnlyStruct).rule);
}

async function findRule(scope: Scope, audience: string | Rule): Promise<Rule> {
  if (typeof audience !== "string") return audience;
  const rows = await scope.storage.listDefinitions(scope.workspace, "audience");
  const row = rows.find(({ key }) => key === audience);
  if (!row) throw notDefined("audience", audience);
  return row.body.rule;
}

function toDefinition({ key, body }: AudienceRow): AudienceDefinition {
  return { key, ...structuredClone(body) };
}
