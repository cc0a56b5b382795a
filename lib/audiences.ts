import type { Explanation, AudienceDefinition, Kept, Rule, Contact, Page, PageRequest } from "./model/types.ts";
import { eachItem } from "./bulk/each.ts";
import { findAttributesOf } from "./definitions/attributes.ts";
import { showContact } from "./contacts/index.ts";
import { parseExternalId, parseKey } from "./input/structs.ts";
import { audienceDefinitionStruct, previewStruct, ruleOnlyStruct } from "./input/definition-structs.ts";
import { pageOf, sliceOf, pageRequestStruct } from "./input/pages.ts";
import {
  define,
  listDefinitions,
  notDefined,
  refusedAfresh,
  toDefinition,
  type DraftOf,
  type ListOptions,
} from "./definitions/index.ts";
import { TrackerError } from "./model/errors.ts";
import { conditionOf, holds, testsIn, type NamedDefinitions } from "./decisions/conditions.ts";
import { explain, type ExplainedContact } from "./decisions/explanations.ts";
import { findFitting, findNamed, toStoredRule } from "./definitions/rules.ts";
import { eventsKeptSince } from "./decisions/seen-events.ts";
import { countedSpanOf, simpleRules } from "./model/rules.ts";
import type { Scope } from "./scope.ts";
import type { AudienceRow, Condition, EventSummary, OccurrenceTest } from "./storage/rows.ts";
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

export async function listMembers(scope: Scope, audience: unknown, page: unknown = {}): Promise<Page<Contact> & Kept> {
  const chosen = parseAudience(audience);
  const slice = sliceOf(parse<PageRequest>(page, pageRequestStruct));
  const found = await findRule(scope, chosen);
  const members = await scope.storage.listMembers(scope.workspace, toCondition(scope, found), slice);
  const attributes = await findAttributesOf(scope, members.rows);
  return { ...pageOf(members, (row) => showContact(row, attributes)), ...(await findKept(scope, found)) };
}

export function eachMember(
  scope: Scope,
  audience: unknown,
  page: unknown = {},
): AsyncGenerator<Contact, void, undefined> {
  return eachItem(
    (request) => listMembers(scope, parseKey(audience), request),
    () => parse<PageRequest>(page, pageRequestStruct),
  );
}

/** Returns a page of the contacts that a bare rule matches, and their number unless `count` is false. */
export async function previewMembers(scope: Scope, input: unknown): Promise<Page<Contact> & Kept & { count?: number }> {
  const { rule, count: isCounted = true, ...page } = parse(input, previewStruct);
  const chosen = toStoredRule(rule);
  const counted = isCounted ? await countMembers(scope, chosen) : {};
  return { ...counted, ...(await listMembers(scope, chosen, page)) };
}

export async function countMembers(scope: Scope, audience: unknown): Promise<{ count: number } & Kept> {
  const found = await findRule(scope, parseAudience(audience));
  const count = await scope.storage.countMembers(scope.workspace, toCondition(scope, found));
  return { count, ...(await findKept(scope, found)) };
}

/** The condition that the members of the audience meet now. Throws `definition_not_found`. */
export async function findAudienceCondition(scope: Scope, audience: unknown): Promise<Condition> {
  return toCondition(scope, await findRule(scope, parseAudience(audience)));
}

export async function explainMember(scope: Scope, audience: unknown, identifier: unknown): Promise<Explanation> {
  const chosen = parseAudience(audience);
  const externalId = parseExternalId(identifier);
  const { rule, definitions } = await findRule(scope, chosen);
  const now = scope.now();
  const contact = await findContactData(scope, externalId, [conditionOf(rule, now, definitions)]);
  return { ...explain(rule, contact, definitions, now), ...(await findKept(scope, { rule })) };
}

/** The keys of the audiences that contain the contact now, in order of their creation. */
export async function listAudiencesOf(scope: Scope, identifier: unknown): Promise<string[]> {
  const externalId = parseExternalId(identifier);
  const audiences = await findAudiences(scope);
  const rules = audiences.map(({ body }) => body.rule);
  const definitions = await findNamed(scope, rules);
  const now = scope.now();
  const conditions = rules.map((rule) => conditionOf(rule, now, definitions));
  const contact = await findContactData(scope, externalId, conditions);
  // There is one condition for each audience.
  return audiences.filter((_, index) => holds(conditions[index]!, contact)).map(({ key }) => key);
}

async function findContactData(
  { storage, workspace }: Scope,
  externalId: string,
  conditions: readonly Condition[],
): Promise<ExplainedContact> {
  const row = await storage.findContact(workspace, { externalId });
  if (!row) throw new TrackerError("contact_not_found");
  const summaries = await storage.findSummaries(workspace, row.id);
  const tests = conditions.flatMap(testsIn);
  const needsCompletions = tests.some((test) => "checklistId" in test);
  const completions = needsCompletions ? await storage.findCompletions(workspace, row.id) : [];
  const occurrences = new Map<string, EventSummary | null>();
  for (const test of tests) {
    const name = JSON.stringify(test);
    if (!("where" in test) || occurrences.has(name)) continue;
    occurrences.set(name, await storage.summarizeEvents(workspace, row.id, test));
  }
  const summarize = (test: OccurrenceTest): EventSummary | null => occurrences.get(JSON.stringify(test)) ?? null;
  return {
    row,
    summaries: new Map(summaries.map((summary) => [summary.eventKey, summary])),
    completions,
    countEvents: (test) => summarize(test)?.count ?? 0,
    summarize,
  };
}

/** Returns a key, or a copy of a rule. Called before the first `await`: the caller may change the rule later. */
function parseAudience(audience: unknown): string | Rule {
  return typeof audience === "string"
    ? parseKey(audience)
    : toStoredRule(parse({ rule: audience }, ruleOnlyStruct).rule);
}

async function findKept({ storage, workspace, now }: Scope, { rule }: Pick<Found, "rule">): Promise<Kept> {
  if (!simpleRules(rule).some((part) => countedSpanOf(part, now()) !== null)) return {};
  const since = eventsKeptSince([rule], now(), await storage.findPrunedBefore(workspace));
  return since === undefined ? {} : { eventsKeptSince: since };
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
