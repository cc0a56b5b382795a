import { optional, Struct } from "superstruct";
import type { ChecklistDefinition, ChecklistItem, ChecklistProgress } from "./behaviour-types.ts";
import { progressOf, type Beginnings, type Doing } from "./completions.ts";
import { parseExternalId } from "./contacts.ts";
import { define, definitionKey, notDefined } from "./definitions.ts";
import { TrackerError } from "./errors.ts";
import { label } from "./fields.ts";
import { externalId } from "./identifiers.ts";
import { itemsPerChecklistMax, textMaxBytes } from "./limits.ts";
import { when } from "./rules.ts";
import type { Scope } from "./scope.ts";
import type { ChecklistRow } from "./storage.ts";
import { failuresOf, issue, listOf, parse, refuse, shape } from "./validation.ts";

export async function defineChecklist(scope: Scope, input: unknown): Promise<ChecklistDefinition> {
  const { key, name, items } = parse(input, checklistDefinition);
  return toDefinition(await define<"checklist">(scope, { kind: "checklist", key, body: { name, items } }));
}

export async function listChecklists(scope: Scope): Promise<ChecklistDefinition[]> {
  const rows = await findChecklists(scope);
  return rows.map(toDefinition);
}

export async function checklistProgress(scope: Scope, identifier: unknown): Promise<ChecklistProgress[]> {
  const externalId = parseExternalId(identifier);
  const checklists = await findChecklists(scope);
  const doing = await findDoing(scope, externalId);
  return checklists.map((checklist) => progressOf(checklist, doing));
}

export async function completeItem(
  scope: Scope,
  externalIdInput: unknown,
  checklistKeyInput: unknown,
  itemKeyInput: unknown,
): Promise<ChecklistProgress> {
  const input = { externalId: externalIdInput, checklistKey: checklistKeyInput, itemKey: itemKeyInput };
  const { externalId, checklistKey, itemKey } = parse(input, itemOfContact);
  const { storage, workspace } = scope;
  const checklist = (await findChecklists(scope)).find(({ key }) => key === checklistKey);
  const item = checklist?.body.items.find(({ key }) => key === itemKey);
  if (!checklist) throw notDefined("checklist", checklistKey);
  if (!item) {
    const message = `The checklist "${checklistKey}" has no item "${itemKey}".`;
    throw new TrackerError("definition_not_found", { message });
  }
  if (item.when) refuse([issue("itemKey", "automatic_item")]);
  const draft = { workspace, externalId, checklistId: checklist.id, itemKey, completedAt: scope.now() };
  if (!(await storage.insertCompletion(draft))) throw new TrackerError("contact_not_found");
  return progressOf(checklist, await findDoing(scope, externalId));
}

function findChecklists({ storage, workspace }: Scope): Promise<ChecklistRow[]> {
  return storage.listDefinitions(workspace, "checklist");
}

async function findDoing({ storage, workspace }: Scope, externalId: string): Promise<Doing & Beginnings> {
  const contact = await storage.findContact(workspace, externalId);
  if (!contact) throw new TrackerError("contact_not_found");
  const summaries = await storage.findSummaries(workspace, contact.id);
  const completions = await storage.findCompletions(workspace, contact.id);
  return {
    counts: new Map(summaries.map(({ eventKey, count }) => [eventKey, count])),
    firstAts: new Map(summaries.map(({ eventKey, firstAt }) => [eventKey, firstAt])),
    completions,
  };
}

function toDefinition({ key, body }: ChecklistRow): ChecklistDefinition {
  return { key, ...structuredClone(body) };
}

const itemOfContact = shape<{ externalId: string; checklistKey: string; itemKey: string }>("ItemOfContact", {
  externalId,
  checklistKey: definitionKey,
  itemKey: definitionKey,
});

const checklistItem = shape<ChecklistItem>("ChecklistItem", {
  key: definitionKey,
  name: label(textMaxBytes),
  when: optional(when),
});
const itemList = listOf("items", checklistItem, { countMin: 1, countMax: itemsPerChecklistMax });

const items = new Struct<readonly ChecklistItem[], null>({
  type: "items",
  schema: null,
  coercer: itemList.coercer,
  validator(value, context) {
    const failures = failuresOf(itemList, value, context);
    if (!Array.isArray(value)) return failures;
    const keys = (value as Partial<ChecklistItem>[]).map((item) => item?.key);
    const repeated = keys.flatMap((key, index) =>
      key !== undefined && keys.indexOf(key) < index ? [{ path: [String(index), "key"], message: "repeated_key" }] : [],
    );
    return [...failures, ...repeated];
  },
});

export const checklistDefinition: Struct<ChecklistDefinition, null> = shape<ChecklistDefinition>(
  "ChecklistDefinition",
  { key: definitionKey, name: label(textMaxBytes), items },
);
