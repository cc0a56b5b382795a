/** Decides which audiences are watched: functions over rows. */
import { valueTypes } from "../model/declarations.ts";
import { newId } from "../model/ids.ts";
import { simpleRules } from "../model/rules.ts";
import type { AttributeRow, AudienceRow, ChecklistRow, SubscriptionRow } from "../storage/rows.ts";
import type { WatchedRule, WatchRow } from "../storage/watches.ts";

/** The definitions of a workspace that watches depend on. */
export interface WatchedDefinitions {
  subscriptions: readonly SubscriptionRow[];
  audiences: readonly AudienceRow[];
  attributes: readonly AttributeRow[];
  checklists: readonly ChecklistRow[];
}

/** How the watches of a workspace change. */
export interface WatchPlan {
  added: WatchRow[];
  /** Watches that go on with another rule. */
  changed: WatchRow[];
  ended: WatchRow[];
}

/** Names a watch: that of an audience which subscriptions share or, with `own`, the watch of this subscription alone. */
export function watchName(audienceKey: string, own?: string): string {
  return `${audienceKey} ${own ?? ""}`;
}

/**
 * Compares the watches of a workspace with its definitions. `written` is the last write of a definition, and the key of the audience
 * that it announces. If the rule of a watch differs, the watch ends, and a silent one begins. It goes on with the new rule if the
 * write announces its audience, or if its own first pass is announcing.
 */
export function planWatches(
  stored: readonly WatchRow[],
  definitions: WatchedDefinitions,
  written: { workspace: string; at: number; announced: string | null },
): WatchPlan {
  const plan: WatchPlan = { added: [], changed: [], ended: [] };
  const before = new Map<string, WatchRow>();
  for (const watch of stored) {
    const name = watchName(watch.audienceKey, watch.watched.own);
    // A process of 0.2.0 does not know `own`, and may have stored a second watch of the same name.
    if (before.has(name)) plan.ended.push(watch);
    else before.set(name, watch);
  }
  for (const audience of definitions.audiences) {
    const { key: audienceKey } = audience;
    const naming = definitions.subscriptions.filter(({ body }) => body.on.audiences?.includes(audienceKey));
    for (const own of new Set(naming.map(({ body }) => body.on.own))) {
      const name = watchName(audienceKey, own);
      const watch = before.get(name);
      const { announces, ...stays } = watch?.watched ?? {};
      const watched = { ...watchedRuleOf(audience, definitions), ...(own !== undefined && { own }) };
      const isSame = JSON.stringify(stays) === JSON.stringify(watched);
      const goesOn = audienceKey === written.announced || (announces && watch?.readyAt === null);
      if (watch && (isSame || goesOn)) {
        before.delete(name);
        if (!isSame) plan.changed.push({ ...watch, watched: { ...watched, ...(announces && { announces }) } });
        continue;
      }
      const isNew = naming.some(({ id, body }) => !watch && id === own && !body.announced?.includes(audienceKey));
      const { workspace, at } = written;
      const state = { clock: at, position: null, readyAt: null, sweptAt: 0 };
      const rule = { ...watched, ...(isNew && { announces: true as const }) };
      plan.added.push({ id: newId(at), workspace, audienceKey, watched: rule, ...state });
    }
  }
  plan.ended.push(...before.values());
  return plan;
}

function watchedRuleOf({ body }: AudienceRow, { attributes, checklists }: WatchedDefinitions): WatchedRule {
  const parts = simpleRules(body.rule);
  const attributeKeys = new Set(parts.flatMap((part) => (part.kind === "attribute" ? part.key : [])));
  const checklistKeys = new Set(
    parts.flatMap((part) => (part.kind === "checklist_completed" ? part.checklistKey : [])),
  );
  return {
    rule: body.rule,
    attributes: attributes
      .filter(({ key }) => attributeKeys.has(key))
      .map(({ key, id, body: { type } }) => ({ key, id, ...(!Object.hasOwn(valueTypes, type) && { body: { type } }) })),
    checklists: checklists
      .filter(({ key }) => checklistKeys.has(key))
      .map(({ key, id, body: { items } }) => ({
        key,
        id,
        items: items.map((item) => ({ key: item.key, ...(item.when && { when: item.when }) })),
      })),
  };
}
