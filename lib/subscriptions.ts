import { findTopicIssues, keysIn } from "./decisions/named-definitions.ts";
import { define, listDefinitions, type DraftOf } from "./definitions.ts";
import { subscriptionDefinitionStruct } from "./input/definition-structs.ts";
import { parse, refuse } from "./input/shapes.ts";
import { keepDaysDefault, subscriptionStartMs } from "./model/limits.ts";
import { formatTime } from "./model/times.ts";
import type { DefinedSubscription, SubscribedTopics, Subscription, SubscriptionDefinition } from "./model/types.ts";
import type { Scope } from "./scope.ts";
import type { SubscriptionRow } from "./storage/rows.ts";

export async function defineSubscription(scope: Scope, input: unknown): Promise<DefinedSubscription> {
  const draft = subscriptionDraft(parse(input, subscriptionDefinitionStruct));
  await assertDefined(scope, draft.body.on);
  const row = await define<"subscription">(scope, draft);
  // Read after the commit, so that no process starts later than the time that is answered.
  const startsAt = (await scope.storage.readClock()) + subscriptionStartMs;
  return { ...toDefinition(row), startsAt: formatTime(startsAt) };
}

export function subscriptionDraft({
  key,
  on,
  keepDays = keepDaysDefault,
}: SubscriptionDefinition): DraftOf<"subscription"> {
  return { kind: "subscription", key, body: { on, keepDays } };
}

export async function listSubscriptions(scope: Scope): Promise<Subscription[]> {
  return (await listDefinitions(scope, "subscription")).map(toDefinition);
}

/** Throws `invalid_input` if the tracker refuses undefined events, and a key has no event type. */
async function assertDefined(scope: Scope, on: SubscribedTopics): Promise<void> {
  if (!scope.refusesUndefinedEvents) return;
  refuse(findTopicIssues(on, "on", keysIn(await listDefinitions(scope, "event"))));
}

function toDefinition({ key, body }: SubscriptionRow): Subscription {
  return { key, ...structuredClone(body) };
}
