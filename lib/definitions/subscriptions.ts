import { shownSubscription } from "../decisions/definition-writes.ts";
import { findTopicIssues, keysIn } from "../decisions/named-definitions.ts";
import { watchName } from "../decisions/watches.ts";
import { define, listDefinitions, type DraftOf } from "./index.ts";
import { subscriptionDefinitionStruct } from "../input/definition-structs.ts";
import { parse, refuse } from "../input/shapes.ts";
import { keepDaysDefault, subscriptionStartMs } from "../model/limits.ts";
import { formatTime } from "../model/times.ts";
import type {
  DefinedSubscription,
  ListedSubscription,
  SubscribedTopics,
  Subscription,
  SubscriptionDefinition,
} from "../model/types.ts";
import type { Scope } from "../scope.ts";
import type { SubscriptionRow } from "../storage/rows.ts";

export async function defineSubscription(scope: Scope, input: unknown): Promise<DefinedSubscription> {
  const draft = subscriptionDraft(parse(input, subscriptionDefinitionStruct));
  await assertDefined(scope, draft.body.on);
  const row = await define<"subscription">(scope, draft);
  // The clock is read after the commit, so that no process starts later than `startsAt`.
  const startsAt = (await scope.storage.readClock()) + subscriptionStartMs;
  return { ...toDefinition(row), startsAt: formatTime(startsAt) };
}

export function subscriptionDraft({
  key,
  on,
  keepDays = keepDaysDefault,
  current,
}: SubscriptionDefinition): DraftOf<"subscription"> {
  return { kind: "subscription", key, body: { on, keepDays, ...(current && { current }) } };
}

export async function listSubscriptions(scope: Scope): Promise<ListedSubscription[]> {
  const rows = await listDefinitions(scope, "subscription");
  const watches = rows.some(({ body }) => body.on.audiences) ? await scope.storage.listWatches(scope.workspace) : [];
  const readyAt = new Map(watches.map((watch) => [watchName(watch.audienceKey, watch.watched.own), watch.readyAt]));
  return rows.map((row) => {
    const { audiences, own } = row.body.on;
    const definition = toDefinition(row);
    return audiences
      ? { ...definition, readyAt: latestOf(audiences.map((key) => readyAt.get(watchName(key, own)) ?? null)) }
      : definition;
  });
}

/** The latest of the times; `null` if one of them is `null`. */
function latestOf(times: readonly (number | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return known.length < times.length ? null : formatTime(Math.max(...known));
}

/**
 * Throws `invalid_input` if an audience is not defined or, in a tracker that refuses undefined events, if a key has no event
 * type.
 */
async function assertDefined(scope: Scope, on: SubscribedTopics): Promise<void> {
  const events = scope.refusesUndefinedEvents ? keysIn(await listDefinitions(scope, "event")).events : null;
  const { audiences } = keysIn(on.audiences ? await listDefinitions(scope, "audience") : []);
  refuse(findTopicIssues(on, "on", { events, audiences }));
}

function toDefinition({ key, body }: SubscriptionRow): Subscription {
  return { key, ...structuredClone(shownSubscription(body)) };
}
