/** The reference of the library: methods by subject, with the inputs that they take, rules, changes and limits. */
import { simpleRuleStructs } from "../../lib/input/rules.ts";
import type { Described } from "../../lib/input/shapes.ts";
import * as limits from "../../lib/model/limits.ts";
import { callOf, declared, documented, sources, type Member } from "./declarations.ts";
import { code, fields, methods, table, textOf } from "./markdown.ts";

/** The groups of a tracker, and the types that their methods take and resolve with. */
const groups: Readonly<Record<string, string>> = {
  contacts: "Contact ContactChanges PageRequest ContactPageRequest Page ManyOptions",
  events: "NewEvent KeyedEvent Tracked TrackedEvent CompletedChecklistItem",
  eventTypes: "EventTypeDefinition EventTypeUsage",
  attributes: "AttributeDefinition",
  audiences: "AudienceDefinition Explanation",
  checklists: "ChecklistDefinition ChecklistItem ChecklistProgress ItemCount",
  subscriptions:
    "SubscriptionDefinition SubscribedTopics DefinedSubscription ListedSubscription ConsumeOptions HandlerContext TransactionContext Consumer Backlog ParkedContact WebhookStatus",
  apiKeys: "NewApiKey ApiKey",
};

export function libraryReference(): string {
  const ofTracker = ["Workspace", "Overviews", "Tracker", "HealthMethods"].flatMap((name) => declared(name).members);
  return [
    "# Reference of the library",
    `[The library](README.md) explains it. Any method can also reject with \`storage_unavailable\`; [errors](http/REFERENCE.md#errors) has all codes. ${declared("Workspace").doc.sentences.at(-1)}`,
    "## Options",
    docOfFunction("createTracker"),
    fields("TrackerOptions"),
    docOfFunction("createClient"),
    fields("ClientOptions"),
    ...Object.entries(groups).flatMap(([group, types]) => [
      `## tracker.${group}`,
      ...declared("Workspace").members.flatMap(({ name, doc }) =>
        name === group && doc.sentences[0] ? textOf(doc) : [],
      ),
      methods(methodsOf(group)),
      ...types.split(" ").map(fields),
    ]),
    "## The tracker",
    methods(ofTracker.filter(({ name, code: text }) => new RegExp(`^${name}[<(]`).test(text))),
    ...["Health", "ActivityRequest", "Activity", "ActivityPeriod", "WorkOptions", "Comparison"].map(fields),
    "## In a transaction",
    ...inTransaction(),
    "## tracker.workspaces",
    methods(declared("Workspaces").members),
    "## Rules",
    "A rule is one of these, or `{ all: [rule, …] }`, `{ any: [rule, …] }` or `{ not: rule }`.",
    table(["Kind", "Fields", "Meaning"], ruleRows()),
    table(["Type", "Operators", "Meaning"], operatorRows()),
    fields("Counted"),
    table(["Period", "Meaning"], meanings(/export type (Length|\w*Period\w*) =/)),
    "## Types",
    "Each takes `typeof definitions`.",
    table(["Type", "Meaning"], meanings(new RegExp(`export type (${ofDefinitions})<`))),
    "## Changes",
    table(["Kinds", "Meaning"], meanings(/export interface \w+ extends CommonFields<"([^>]*)">/)),
    ...documented(/export type (Change) =/).map(({ doc }) => textOf(doc)),
    fields("CommonFields"),
    "## Limits",
    table(["Limit", "Value"], limitRows),
  ].join("\n\n");
}

/** The types of `whodid` that take definitions. */
const ofDefinitions = /^export type \{([^}]*)\} from "\.\/model\/typed\.ts"/m
  .exec(sources)![1]!
  .match(/\w+/g)!
  .join("|");

/** Rows of names and docstrings. */
function meanings(declaration: RegExp): string[][] {
  return documented(declaration).map(({ doc, found }) => [code(found).replaceAll('" | "', "`, `"), textOf(doc)]);
}

/** The methods of a group, those that are the same inside a transaction first. */
function methodsOf(group: string): Member[] {
  const common = ["contacts", "events"].includes(group) ? declared("MethodsAnywhere", group).members : [];
  const others = group === "subscriptions" ? ["ConsumerMethods", "WebhookMethods"] : [];
  return [...common, ...declared("Workspace", group).members, ...others.flatMap((name) => declared(name).members)];
}

function ruleRows(): string[][] {
  const rows = meanings(/(?:export type \w+ =\s*)?(?:\| )?\(?\{ kind: "(\w+)"/);
  return Object.entries(simpleRuleStructs).map(([kind, { schema }]) => {
    const [, meaning = ""] = rows.find(([name]) => name === code(kind)) ?? [];
    return [code(kind), Array.from(fieldsIn(schema), code).slice(1).join(", "), meaning];
  });
}

function fieldsIn({ fields: own = {}, anyOf = [] }: Described["schema"]): Set<string> {
  return new Set([...Object.keys(own), ...anyOf.flatMap(({ schema }) => [...fieldsIn(schema)])]);
}

/** The methods inside a transaction: names, and what the docstrings say of those that differ. */
function inTransaction(): string[] {
  const namesOf = (name: string): string[] =>
    ["contacts", "events", "checklists"].flatMap((group) =>
      declared(name, group).members.map((member) => code(`${group}.${callOf(member)}`)),
    );
  const names = new Set([...namesOf("MethodsAnywhere"), ...namesOf("InTransaction")]);
  const doc = textOf(declared("InTransaction").doc).split(" If this type")[0]!;
  return [`${doc} They are ${[...names].join(", ")}.`, methods(declared("InTransaction", "contacts").members)];
}

/** The docstring of a function, as a list. */
function docOfFunction(name: string): string {
  const [{ doc } = { doc: { sentences: [], items: [] as string[] } }] = documented(
    new RegExp(`export function (${name})\\b`),
  );
  return [`\`${name}\`: ${doc.sentences.join(" ")}`, ...doc.items.map((item) => `- ${item}`)].join("\n");
}

function operatorRows(): string[][] {
  const tests = documented(/export type ((?:Text|Number|Boolean|Time)Test =[^]*?;\n)(?=export|\n|\/)/);
  return tests.map(({ doc, found }) => {
    const named = Array.from(found.matchAll(/operator: ([^;]*);/g), ([, names]) => names!.match(/\w+/g)!);
    return [found.split("Test")[0]!.toLowerCase(), [...named.flat(), "is_set"].map(code).join(", "), textOf(doc)];
  });
}

const limitRows = [
  ["Email, in bytes of UTF-8, as all texts", limits.emailMaxBytes],
  ["ExternalId", limits.externalIdMaxBytes],
  ["Event key; key of a definition, item or property", limits.keyMaxBytes],
  ["Name, phone, role, plan; names and descriptions of definitions", limits.textMaxBytes],
  ["Text of an attribute or property", limits.valueMaxBytes],
  ["`avatarUrl`, `href`, URL of a webhook", limits.avatarUrlMaxBytes],
  ["Attributes of a contact", limits.attributesPerContactMax],
  ["Properties of an event", limits.propertiesPerEventMax],
  ["Idempotency key, in characters", limits.idempotencyKeyMaxCharacters],
  ["Items of a page; by default", limits.pageLimitMax, limits.pageLimitDefault],
  ["Bytes of the rows of a page", limits.pageMaxBytes],
  [
    "Body of a request, in bytes, by default; of a batch so many times as much",
    limits.maxBodyBytesDefault,
    limits.batchBodyTimes,
  ],
  ["Items of a batch over HTTP", limits.itemsPerBatchMax],
  ["Items and bytes under way in `upsertMany` and `trackMany`", limits.manyItemsMax, limits.manyMaxBytes],
  ["Depth of a rule", limits.ruleDepthMax],
  ["Rules in a rule that are no groups", limits.simpleRulesPerRuleMax],
  ["Conditions of a `where`", limits.conditionsPerWhereMax],
  ["Values of a `one_of`", limits.operandsMax],
  ["Bytes of all values in a rule", limits.operandsPerRuleMaxBytes],
  ["Days, hours or minutes of a period", limits.periodUnitsMax],
  ["Items of a checklist", limits.itemsPerChecklistMax],
  ["Periods of `activity`", limits.activityPeriodsMax],
  ["Event keys and audiences of a subscription", limits.subscribedKeysMax, limits.subscribedAudiencesMax],
  ["Bytes of an export over HTTP", limits.exportMaxBytes],
].map(([name, ...values]) => [String(name), values.map((value) => value.toLocaleString("en")).join("; ")]);
