import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { Code } from "../../kit/text.tsx";
import { usePolled } from "../../polling.ts";
import type { Subscription } from "../../../../../lib/model/types.ts";
import { Card, type SubscriptionDeed } from "./card.tsx";
import { SubscriptionForm } from "./form.tsx";

const firstSubscription = curlOf("PUT", "/subscriptions/warehouse", { on: { events: true, contacts: true } });

type Deed = { name: "create" } | SubscriptionDeed;

/** The subscriptions, each with the changes that wait for its consumers, and its newest changes. */
export function Subscriptions() {
  // Polled, because a first pass ends by itself.
  const subscriptions = usePolled((methods) => methods.subscriptions.list(), [], true);
  const isLoading = subscriptions.value === undefined && subscriptions.error === undefined;
  const { deed, begin, onClose, onDone } = useDeed<Deed>(subscriptions.reload);
  return (
    <Page
      title="Subscriptions"
      actions={
        <button type="button" class="button primary" onClick={() => begin({ name: "create" })}>
          Create subscription
        </button>
      }
    >
      <WhenLoaded of={{ ...subscriptions, isLoading }}>
        {(items) =>
          items.length === 0 ? (
            <NoSubscriptions />
          ) : (
            items.map((subscription) => <Card key={subscription.key} of={subscription} onDeed={begin} />)
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
        A subscription logs the changes that your programs act on: events, contacts, completed checklists, and who
        enters and leaves an audience. Create one here, or paste this with an API key of access admin:
      </p>
      <Code text={firstSubscription} />
    </Empty>
  );
}
