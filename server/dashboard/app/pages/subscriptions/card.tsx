import { SmallButton } from "../../kit/small-button.tsx";
import { countOf } from "../../kit/text.tsx";
import { Watching } from "../../kit/watching.tsx";
import { hrefOf } from "../../location.ts";
import type { ListedSubscription, SubscribedTopics } from "../../../../../lib/model/types.ts";
import { NewestChanges } from "./changes.tsx";
import { SubscriptionBacklog } from "./backlog.tsx";

/** An action of the user on a subscription. */
export interface SubscriptionDeed {
  name: "edit" | "delete";
  subscription: ListedSubscription;
}

export function Card({
  of: subscription,
  onDeed,
}: {
  of: ListedSubscription;
  onDeed: (deed: SubscriptionDeed) => void;
}) {
  const { key, on, keepDays, current, readyAt } = subscription;
  return (
    <section class="card" aria-label={key}>
      <div class="card-header">
        <h2>
          <a class="row-link" href={hrefOf(["subscriptions", key])}>
            {key}
          </a>
        </h2>
        <div class="actions">
          <SmallButton
            action="Edit"
            of={key}
            needs="putSubscription"
            onClick={() => onDeed({ name: "edit", subscription })}
          />
          <SmallButton
            action="Delete"
            of={key}
            needs="deleteSubscription"
            onClick={() => onDeed({ name: "delete", subscription })}
          />
        </div>
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
      <SubscriptionBacklog of={key} />
      <h3>Newest changes</h3>
      {/* Other topics take other changes. */}
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
