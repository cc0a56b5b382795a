import { shownSubscription } from "../decisions/definition-writes.ts";
import { findTopicIssues, keysIn } from "../decisions/named-definitions.ts";
import { watchName } from "../decisions/watch-plans.ts";
import { define, listDefinitions, type DraftOf } from "./index.ts";
import { subscriptionDefinitionStruct } from "../input/definition-structs.ts";
import { issueOf, parse, refuse } from "../input/shapes.ts";
import { includesAccess } from "../model/declarations.ts";
import { keepDaysDefault, subscriptionStartMs, webhookConcurrencyDefault } from "../model/limits.ts";
import type { Issue } from "../model/errors.ts";
import { formatTime } from "../model/times.ts";
import type { DefinedSubscription, ListedSubscription, Subscription, SubscriptionDefinition } from "../model/types.ts";
import type { Scope } from "../scope.ts";
import type { ApiKeyOwner, SubscriptionBody, SubscriptionRow } from "../storage/rows.ts";
import { originOf, webhookUrlProblem } from "../webhooks/urls.ts";

export async function defineSubscription(scope: Scope, input: unknown): Promise<DefinedSubscription> {
  const draft = subscriptionDraft(parse(input, subscriptionDefinitionStruct));
  await assertDefined(scope, draft.body);
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
  url,
  concurrency = webhookConcurrencyDefault,
}: SubscriptionDefinition): DraftOf<"subscription"> {
  const webhook = url === undefined ? {} : { url, concurrency };
  return { kind: "subscription", key, body: { on, keepDays, ...(current && { current }), ...webhook } };
}

/** Shows the path and the query of a URL only to a key with the access `admin`, and to the host (`null`). */
export async function listSubscriptions(
  scope: Scope,
  reader: ApiKeyOwner | null = null,
): Promise<ListedSubscription[]> {
  const rows = await listDefinitions(scope, "subscription");
  const watches = rows.some(({ body }) => body.on.audiences) ? await scope.storage.listWatches(scope.workspace) : [];
  const readyAt = new Map(watches.map((watch) => [watchName(watch.audienceKey, watch.watched.own), watch.readyAt]));
  return rows.map((row) => {
    const { audiences, own } = row.body.on;
    const definition = toDefinition(row);
    const isHidden = definition.url !== undefined && reader !== null && !includesAccess(reader.access, "admin");
    if (isHidden) definition.url = originOf(definition.url!);
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
 * Throws `invalid_input` if an audience is not defined, or if messages must not be sent to the URL. In a tracker that refuses
 * undefined events also if a key has no event type.
 */
async function assertDefined(scope: Scope, { on, url }: SubscriptionBody): Promise<void> {
  const events = scope.refusesUndefinedEvents ? keysIn(await listDefinitions(scope, "event")).events : null;
  const { audiences } = keysIn(on.audiences ? await listDefinitions(scope, "audience") : []);
  refuse([...findTopicIssues(on, "on", { events, audiences }), ...findUrlIssues(scope, url, "url")]);
}

/** The issues of the URL of a webhook. */
export function findUrlIssues({ webhookHosts = new Set() }: Scope, url: string | undefined, path: string): Issue[] {
  const problem = url === undefined ? null : webhookUrlProblem(url, webhookHosts);
  return problem === null ? [] : [issueOf(path, problem)];
}

function toDefinition({ key, body }: SubscriptionRow): Subscription {
  return { key, ...structuredClone(shownSubscription(body)) };
}
