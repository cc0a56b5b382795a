import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { Code, countOf } from "../../kit/text.tsx";
import { useLoaded } from "../../loading.ts";
import type { SubscribedTopics, Subscription } from "../../../../../lib/model/types.ts";
import { NewestChanges } from "./changes.tsx";
import { SubscriptionForm } from "./form.tsx";

const firstSubscription = curlOf("PUT", "/subscriptions/warehouse", { on: { events: true, contacts: true } });

type Deed = { name: "create" } | { name: "edit" | "delete"; subscription: Subscription };

/** The subscriptions, each with its newest changes. */
export function Subscriptions() {
  const subscriptions = useLoaded((methods) => methods.subscriptions.list(), []);
  const [deed, setDeed] = useState<Deed | null>(null);
  const onClose = (): void => setDeed(null);
  const onDone = (): void => {
    // The user may have closed this dialog meanwhile, and typed into another.
    setDeed((now) => (now === deed ? null : now));
    subscriptions.reload();
  };
  return (
    <Page
      title="Subscriptions"
      actions={
        <button type="button" class="button primary" onClick={() => setDeed({ name: "create" })}>
          Create subscription
        </button>
      }
    >
      <WhenLoaded of={subscriptions}>
        {(items) =>
          items.length === 0 ? (
            <NoSubscriptions />
          ) : (
            items.map((subscription) => <Card key={subscription.key} of={subscription} onDeed={setDeed} />)
          )
        }
      </WhenLoaded>
      {deed?.name === "create" && <SubscriptionForm subscription={null} onSaved={onDone} onClose={onClose} />}
      {deed?.name === "edit" && (
        <SubscriptionForm subscription={deed.subscription} onSaved={onDone} onClose={onClose} />
      )}
      {deed?.name === "delete" && (
        <DeleteSubscription subscription={deed.subscription} onRemoved={onDone} onClose={onClose} />
      )}
    </Page>
  );
}

function Card({ of: subscription, onDeed }: { of: Subscription; onDeed: (deed: Deed) => void }) {
  const { key, on, keepDays } = subscription;
  return (
    <section class="card" aria-label={key}>
      <div class="card-header">
        <h2>{key}</h2>
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-label={`Edit ${key}`}
            onClick={() => onDeed({ name: "edit", subscription })}
          >
            Edit
          </button>
          <button
            type="button"
            class="button small"
            aria-label={`Delete ${key}`}
            onClick={() => onDeed({ name: "delete", subscription })}
          >
            Delete
          </button>
        </div>
      </div>
      <p class="topics clamped">
        Kept for {countOf(keepDays, "day")}: {topicWords(on)}
      </p>
      {/* Other topics take other changes. */}
      <NewestChanges key={JSON.stringify(on)} of={key} />
    </section>
  );
}

function topicWords({ events, contacts, checklists }: SubscribedTopics): string {
  return [
    ...(events === true ? ["all events"] : []),
    ...(Array.isArray(events) ? [`events ${events.join(", ")}`] : []),
    ...(contacts ? ["contacts"] : []),
    ...(checklists ? ["checklists"] : []),
  ].join("; ");
}

function DeleteSubscription({
  subscription: { key },
  ...closing
}: {
  subscription: Subscription;
  onRemoved: () => void;
  onClose: () => void;
}) {
  return (
    <Removal
      {...closing}
      title={`Delete “${key}”?`}
      action="Delete the subscription"
      remove={() => api.subscriptions.delete(key)}
    >
      <p>Its readers are refused from now on. Created again, it starts without the changes of before.</p>
    </Removal>
  );
}

function NoSubscriptions() {
  return (
    <Empty title="There are no subscriptions yet.">
      <p>
        A subscription logs the changes that your programs act on: events, contacts and completed checklists. Create one
        here, or paste this with an API key of access admin:
      </p>
      <Code text={firstSubscription} />
    </Empty>
  );
}
