import type { VNode } from "preact";
import { countOf, Watching } from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";
import type { ListedSubscription, SubscribedTopics } from "../../../../../lib/model/types.ts";
import { NewestChanges } from "./changes.tsx";
import { SubscriptionBacklog } from "./backlog.tsx";
import { Webhook } from "./webhook.tsx";

export function Card({ of: subscription, actions }: { of: ListedSubscription; actions: VNode }) {
  const { key, on, keepDays, current, readyAt } = subscription;
  return (
    <section class="card" aria-label={key}>
      <div class="apart card-header">
        <h2>
          <a class="row-link" href={hrefOf(["subscriptions", key])}>
            {key}
          </a>
        </h2>
        <div class="line">{actions}</div>
      </div>
      <p class="topics clamped">
        Kept for {countOf(keepDays, "day")}: {topicWords(on)}
        {current && ", with those who were in already"}
      </p>
      {readyAt !== undefined && (
        <p class="topics">
          <Watching readyAt={readyAt} />
        </p>
      )}
      {subscription.url !== undefined && <Webhook of={key} />}
      <SubscriptionBacklog of={key} />
      <h3>Newest changes</h3>
      {/* Changed topics load a new list, because they select other changes. */}
      <NewestChanges key={JSON.stringify(on)} of={key} />
    </section>
  );
}

function topicWords({ events, contacts, checklists, audiences }: SubscribedTopics): string {
  return [
    ...(events === true ? ["all events"] : []),
    ...(Array.isArray(events) ? [`events ${events.join(", ")}`] : []),
    ...(contacts ? ["contacts"] : []),
    ...(checklists ? ["checklists"] : []),
    ...(audiences ? [`audiences ${audiences.join(", ")}`] : []),
  ].join("; ");
}
