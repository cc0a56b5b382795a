import { useLayoutEffect } from "preact/hooks";
import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { MainAction } from "../../kit/main-action.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { Code } from "../../kit/text.tsx";
import { guessedKey, NoSuch } from "../../definitions/found.tsx";
import { hrefOf, replaceLocation, type PageLocation } from "../../location.ts";
import { usePolled } from "../../polling.ts";
import type { ListedSubscription, Subscription } from "../../../../../lib/model/types.ts";
import { Card, type SubscriptionDeed } from "./card.tsx";
import { SubscriptionForm } from "./form.tsx";
import { may } from "../../session.ts";

const firstSubscription = curlOf("PUT", "/subscriptions/warehouse", { on: { events: true, contacts: true } });

type Deed = { name: "create" } | SubscriptionDeed;

/** `#/subscriptions` shows all, `#/subscriptions/<key>` one: its changes that wait for consumers, and its newest changes. */
export function Subscriptions({ path: [at] }: PageLocation) {
  // Polled, because a first pass ends by itself.
  const subscriptions = usePolled((methods) => methods.subscriptions.list(), [], true);
  const { value, error } = subscriptions;
  const { deed, begin, onClose, onDone } = useDeed<Deed>(subscriptions.reload);
  const isGuess = may("putSubscription") && at === guessedKey && value?.some(({ key }) => key === at) === false;
  useLayoutEffect(() => {
    if (!isGuess) return;
    replaceLocation(hrefOf(["subscriptions"]));
    begin({ name: "create" });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isGuess]);
  return (
    <Page
      back={at === undefined ? undefined : { href: hrefOf(["subscriptions"]), title: "All subscriptions" }}
      title={at ?? "Subscriptions"}
      actions={
        at === undefined && (
          <MainAction needs="putSubscription" onClick={() => begin({ name: "create" })}>
            Create subscription
          </MainAction>
        )
      }
    >
      <WhenLoaded of={{ ...subscriptions, isLoading: value === undefined && error === undefined }}>
        {(items) => <Cards {...{ items, at }} onDeed={begin} />}
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

interface CardsProps {
  items: readonly ListedSubscription[];
  /** The key of the only one to show. */
  at: string | undefined;
  onDeed: (deed: SubscriptionDeed) => void;
}

function Cards({ items, at, onDeed }: CardsProps) {
  if (items.length === 0) return <NoSubscriptions />;
  const shown = items.filter(({ key }) => at === undefined || key === at);
  if (shown.length === 0) return <NoSuch kind="subscription" />;
  return (
    <>
      {shown.map((subscription) => (
        <Card key={subscription.key} of={subscription} onDeed={onDeed} />
      ))}
    </>
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
