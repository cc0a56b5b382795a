import type { ChecklistProgress, ChecklistDefinition, ChecklistItem, ItemCount, Period } from "../model/types.ts";
import { completionTestOf, progressOf, type Shown } from "../decisions/completions.ts";
import { conditionOf, type NamedDefinitions } from "../decisions/conditions.ts";
import { parseExternalId, parseKey } from "../input/structs.ts";
import { checklistDefinitionStruct, itemOfContactStruct } from "../input/definition-structs.ts";
import {
  define,
  listDefinitions,
  notDefined,
  refusedAfresh,
  toDefinition,
  type DraftOf,
  type ListOptions,
} from "../definitions/index.ts";
import { TrackerError, issue } from "../model/errors.ts";
import { findFitting, type PlacedRule } from "../definitions/rules.ts";
import type { Scope } from "../scope.ts";
import type { ChecklistRow, Completion, Condition } from "../storage/rows.ts";
import { normalizePeriod, plainPeriodStruct } from "../input/periods.ts";
import { parse, refuse } from "../input/shapes.ts";
import { beganRule } from "../model/checklist-rules.ts";
import { spanOf } from "../model/periods.ts";
import { formatTime } from "../model/times.ts";

/** A checklist item that a contact completed by hand. */
export interface CompletionByHand {
  checklistKey: string;
  itemKey: string;
  /** `null` if the item was completed before times were stored. */
  completedAt: string | null;
}

export async function defineChecklist(scope: Scope, input: unknown): Promise<ChecklistDefinition> {
  const draft = checklistDraft(parse(input, checklistDefinitionStruct));
  await findFitting(scope, itemRules(draft.body.items, "items"), 0);
  return toDefinition(await define<"checklist">(scope, draft));
}

export function checklistDraft({ key, name, description, items }: ChecklistDefinition): DraftOf<"checklist"> {
  return { kind: "checklist", key, body: { name, ...(description !== undefined && { description }), items } };
}

/** The rules that complete the items of the list at this path. */
export function itemRules(items: readonly ChecklistItem[], path: string): PlacedRule[] {
  return items.flatMap(({ when }, index) => (when ? [{ path: `${path}.${index}.when`, rule: when }] : []));
}

export async function listChecklists(scope: Scope): Promise<ChecklistDefinition[]> {
  return (await listDefinitions(scope, "checklist")).map(toDefinition);
}

export async function checklistProgress(scope: Scope, identifier: unknown): Promise<ChecklistProgress[]> {
  const externalId = parseExternalId(identifier);
  const checklists = await findChecklists(scope);
  const shown = await findShown(scope, externalId);
  return checklists.map((checklist) => progressOf(checklist, shown));
}

/** Rules that complete an item name neither attributes nor checklists. */
const noDefinitions: NamedDefinitions = { attributes: new Map(), checklists: new Map() };

/** The number of contacts that completed each item, in the checklist's order. With a period only of those that began within it. */
export async function countCompletedItems(scope: Scope, input: unknown, period?: unknown): Promise<ItemCount[]> {
  const { storage, workspace } = scope;
  const key = parseKey(input);
  const within = period === undefined ? undefined : normalizePeriod(parse(period, plainPeriodStruct));
  const checklist = await refusedAfresh((options) => findChecklist(scope, key, options));
  const now = scope.now();
  const testOf = (item: ChecklistItem, began?: Period): Condition =>
    item.when
      ? // This condition reads the summaries of one key. A `CompletionTest` would test every contact.
        conditionOf(began ? beganRule(item.when, began) : item.when, now, noDefinitions)
      : {
          ...completionTestOf({ id: checklist.id, body: { items: [item] } }),
          ...(began && { within: spanOf(began, now) }),
        };
  const { items } = checklist.body;
  const counts: ItemCount[] = [];
  for (const item of items) {
    const test = within ? { all: [testOf(items[0]!, within), testOf(item)] } : testOf(item);
    counts.push({ itemKey: item.key, name: item.name, contacts: await storage.countMembers(workspace, test) });
  }
  return counts;
}

export async function completeByHand(
  scope: Scope,
  externalIdInput: unknown,
  checklistKeyInput: unknown,
  itemKeyInput: unknown,
): Promise<ChecklistProgress> {
  const input = { externalId: externalIdInput, checklistKey: checklistKeyInput, itemKey: itemKeyInput };
  const { externalId, checklistKey, itemKey } = parse(input, itemOfContactStruct);
  const { storage, workspace } = scope;
  const checklist = await refusedAfresh(async (options) => {
    const found = await findChecklist(scope, checklistKey, options);
    assertByHand(found, itemKey);
    return found;
  });
  const draft = { workspace, externalId, checklistId: checklist.id, itemKey, completedAt: scope.now() };
  if (!(await storage.insertCompletion(draft))) throw new TrackerError("contact_not_found");
  return progressOf(checklist, (await findShownIn(scope, externalId)) ?? shownBy(draft));
}

/** The data to show if the snapshot of a caller's transaction lacks the contact. A write finds the contact all the same. */
function shownBy(completion: Completion): Shown {
  return { counts: new Map(), firstAts: new Map(), completions: [completion], dismissals: [] };
}

/** Throws an error unless the checklist has such an item, and it is completed by hand. */
function assertByHand({ key: checklistKey, body }: ChecklistRow, itemKey: string): void {
  const item = body.items.find(({ key }) => key === itemKey);
  if (!item) {
    const message = `The checklist "${checklistKey}" has no item "${itemKey}".`;
    throw new TrackerError("definition_not_found", { message });
  }
  if (item.when) refuse([issue("itemKey", "automatic_item")]);
}

/** The keys of the checklists, by their ids. */
export async function findChecklistKeys(scope: Scope): Promise<Map<string, string>> {
  return new Map((await findChecklists(scope)).map(({ id, key }) => [id, key]));
}

/** The contact's completions by hand, without those of checklists that were deleted. */
export async function findCompletionsByHand(
  { storage, workspace }: Scope,
  contactId: string,
  checklistKeys: ReadonlyMap<string, string>,
): Promise<CompletionByHand[]> {
  const completions = await storage.findCompletions(workspace, contactId);
  return completions.flatMap(({ checklistId, itemKey, completedAt }) => {
    const checklistKey = checklistKeys.get(checklistId);
    if (checklistKey === undefined) return [];
    return { checklistKey, itemKey, completedAt: completedAt === null ? null : formatTime(completedAt) };
  });
}

function findChecklists({ storage, workspace }: Scope, options?: ListOptions): Promise<ChecklistRow[]> {
  return storage.listDefinitions(workspace, "checklist", options);
}

export async function findChecklist(scope: Scope, wanted: string, options: ListOptions): Promise<ChecklistRow> {
  const checklist = (await findChecklists(scope, options)).find(({ key }) => key === wanted);
  if (!checklist) throw notDefined("checklist", wanted);
  // Refuses the rules of a later version before a write, whose answer evaluates them.
  completionTestOf(checklist);
  return checklist;
}

/** Throws `contact_not_found`. */
export async function findShown(scope: Scope, externalId: string): Promise<Shown> {
  const shown = await findShownIn(scope, externalId);
  if (!shown) throw new TrackerError("contact_not_found");
  return shown;
}

/** Resolves with `null` if there is no such contact. */
async function findShownIn({ storage, workspace }: Scope, externalId: string): Promise<Shown | null> {
  const contact = await storage.findContact(workspace, { externalId });
  if (!contact) return null;
  const summaries = await storage.findSummaries(workspace, contact.id);
  const completions = await storage.findCompletions(workspace, contact.id);
  const dismissals = await storage.findDismissals(workspace, contact.id);
  return {
    counts: new Map(summaries.map(({ eventKey, count }) => [eventKey, count])),
    firstAts: new Map(summaries.map(({ eventKey, firstAt }) => [eventKey, firstAt])),
    completions,
    dismissals,
  };
}
