import { Definitions } from "../../definitions/definitions.tsx";
import { NoSuch } from "../../definitions/found.tsx";
import type { PageLocation } from "../../location.ts";
import { usePolled } from "../../polling.ts";
import { Card } from "./card.tsx";
import { SubscriptionForm } from "./form.tsx";

/** `#/subscriptions` shows all, `#/subscriptions/<key>` one: its changes that wait for consumers, and its newest changes. */
export function Subscriptions({ path: [at] }: PageLocation) {
  // Polled, because a first pass ends by itself.
  const subscriptions = usePolled((methods) => methods.subscriptions.list(), [], true);
  return (
    <Definitions kind="subscription" of={subscriptions} Form={SubscriptionForm} at={at}>
      {(items, actionsOf) => {
        const shown = items.filter(({ key }) => at === undefined || key === at);
        if (shown.length === 0) return <NoSuch kind="subscription" />;
        return shown.map((subscription) => (
          <Card key={subscription.key} of={subscription} actions={actionsOf(subscription)} />
        ));
      }}
    </Definitions>
  );
}
