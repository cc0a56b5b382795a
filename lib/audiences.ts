import type { Explanation, AudienceDefinition, Rule, Contact, Page, PageRequest } from "./model/types.ts";
import { findAttributes } from "./attributes.ts";
import { showContact } from "./contacts.ts";
import { parseExternalId, parseKey } from "./input/structs.ts";
import { audienceDefinitionStruct, previewStruct, ruleOnlyStruct } from "./input/definition-structs.ts";
import { pageOf, sliceOf, pageRequestStruct } from "./input/pages.ts";
import { define, listDefinitions, notDefined, refusedAfresh, type DraftOf, type ListOptions } from "./definitions.ts";
import { TrackerError } from "./model/errors.ts";
import { conditionOf, holds, type ContactData, type NamedDefinitions } from "./decisions/conditions.ts";
import { explain } from "./decisions/explanations.ts";
import { findFitting, findNamed, toStoredRule } from "./rule-definitions.ts";
import { simpleRules } from "./model/rules.ts";
import type { Scope } from "./scope.ts";
import type { AudienceRow, Condition } from "./storage/rows.ts";
import { parse } from "./input/shapes.ts";

export async function defineAudience(scope: Scope, input: unknown): Promise<AudienceDefinition> {
  const draft = audienceDraft(parse(input, audienceDefinitionStruct));
  await findFitting(scope, [{ path: "rule", rule: draft.body.rule }], 0);
  return toDefinition(await define<"audience">(scope, draft));
}

export function audienceDraft({ key, name, rule, announce }: AudienceDefinition): DraftOf<"audience"> {
  return { kind: "audience", key, body: { name, rule: toStoredRule(rule), ...(announce && { announce }) } };
}

export async function listAudiences(scope: Scope): Promise<AudienceDefinition[]> {
  return (await listDefinitions(scope, "audience")).map(toDefinition);
}

export async function listMembers(scope: Scope, audience: unknown, page: unknown = {}): Promise<Page<Contact>> {
  const chosen = parseAudience(audience);
  const slice = sliceOf(parse<PageRequest>(page, pageRequestStruct));
  const condition = toCondition(scope, await findRule(scope, chosen));
  const rows = await scope.storage.listMembers(scope.workspace, condition, slice);
  const attributes = await findAttributes(scope);
  return pageOf(rows, slice, (row) => showContact(row, attributes));
}

/** The number of contacts that a bare rule matches, and a page of them. */
export async function previewMembers(scope: Scope, input: unknown): Promise<Page<Contact> & { count: number }> {
  const { rule, ...page } = parse(input, previewStruct);
  const chosen = toStoredRule(rule);
  const count = await countMembers(scope, chosen);
  return { count, ...(await listMembers(scope, chosen, page)) };
}

export async function countMembers(scope: Scope, audience: unknown): Promise<number> {
  return scope.storage.countMembers(scope.workspace, await findAudienceCondition(scope, audience));
}

/** The condition that the members of the audience meet now. Throws `definition_not_found`. */
export async function findAudienceCondition(scope: Scope, audience: unknown): Promise<Condition> {
  return toCondition(scope, await findRule(scope, parseAudience(audience)));
}

export async function explainMember(scope: Scope, audience: unknown, identifier: unknown): Promise<Explanation> {
  const chosen = parseAudience(audience);
  const externalId = parseExternalId(identifier);
  const { rule, definitions } = await findRule(scope, chosen);
  return explain(rule, await findContactData(scope, externalId, [rule]), definitions, scope.now());
}

/** The keys of the audiences that contain the contact now, in order of their creation. */
export async function listAudiencesOf(scope: Scope, identifier: unknown): Promise<string[]> {
  const externalId = parseExternalId(identifier);
  const audiences = await findAudiences(scope);
  const rules = audiences.map(({ body }) => body.rule);
  const definitions = await findNamed(scope, rules);
  const contact = await findContactData(scope, externalId, rules);
  const now = scope.now();
  const isMember = ({ body }: AudienceRow): boolean => holds(conditionOf(body.rule, now, definitions), contact);
  return audiences.filter(isMember).map(({ key }) => key);
}

async function findContactData(
  { storage, workspace }: Scope,
  externalId: string,
  rules: readonly Rule[],
): Promise<ContactData> {
  const row = await storage.findContact(workspace, externalId);
  if (!row) throw new TrackerError("contact_not_found");
  const summaries = await storage.findSummaries(workspace, row.id);
  const needsCompletions = rules.flatMap(simpleRules).some(({ kind }) => kind === "checklist_completed");
  const completions = needsCompletions ? await storage.findCompletions(workspace, row.id) : [];
  return { row, summaries: new Map(summaries.map((summary) => [summary.eventKey, summary])), completions };
}

/** Returns a key, or a copy of a rule. Called before the first `await`: the caller may change the rule later. */
function parseAudience(audience: unknown): string | Rule {
  return typeof audience === "string"
    ? parseKey(audience)
    : toStoredRule(parse({ rule: audience }, ruleOnlyStruct).rule);
}

interface Found {
  rule: Rule;
  definitions: NamedDefinitions;
}

/** Refuses a bare rule that does not fit its definitions. A stored rule whose definitions were deleted is true of nobody. */
async function findRule(scope: Scope, audience: string | Rule): Promise<Found> {
  if (typeof audience === "string") {
    const { rule } = (await findAudience(scope, audience)).body;
    return { rule, definitions: await findNamed(scope, [rule]) };
  }
  return { rule: audience, definitions: await findFitting(scope, [{ path: "rule", rule: audience }]) };
}

function toCondition(scope: Scope, { rule, definitions }: Found): Condition {
  return conditionOf(rule, scope.now(), definitions);
}

function findAudience(scope: Scope, wanted: string): Promise<AudienceRow> {
  return refusedAfresh(async (options) => {
    const row = (await findAudiences(scope, options)).find(({ key }) => key === wanted);
    if (!row) throw notDefined("audience", wanted);
    return row;
  });
}

function findAudiences({ storage, workspace }: Scope, options?: ListOptions): Promise<AudienceRow[]> {
  return storage.listDefinitions(workspace, "audience", options);
}

function toDefinition({ key, body }: AudienceRow): AudienceDefinition {
  return { key, ...structuredClone(body) };
}
