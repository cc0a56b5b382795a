import { useMemo, useRef } from "preact/hooks";
import {
  Button,
  Code,
  ContactLink,
  countOf,
  DayTabs,
  Empty,
  Failure,
  firstEvent,
  KeyTrend,
  More,
  Named,
  Page,
  Properties,
  RuleLink,
  SmallButton,
  Table,
  Time,
} from "../../kit/index.ts";
import { spans } from "../../activity.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { EventTypeDefinition, RecentEvent } from "../../../../../lib/model/types.ts";
import { KeyFilter } from "./key-filter.tsx";
import { likelyKeys } from "./likeness.ts";
import { useLiveEvents, type LiveEvents } from "./live.ts";
import { NotDefined } from "./not-defined.tsx";
import { EventTabs } from "./tabs.tsx";

/** The newest events of all keys as they come; or of one key, below its events on the last days. */
export function NewestEvents({ eventKey, days }: { eventKey: string; days: number }) {
  const types = useLoaded((methods) => methods.eventTypes.list(), []);
  const isOfKey = eventKey !== "";
  return (
    <Page
      back={isOfKey ? { href: hrefOf(["events"]), title: "All events" } : undefined}
      title={isOfKey ? (types.value?.find(({ key }) => key === eventKey)?.name ?? eventKey) : "Events"}
      actions={
        isOfKey && (
          <RuleLink class="button" rule={{ kind: "has_done", eventKey }}>
            Build an audience
          </RuleLink>
        )
      }
    >
      {isOfKey ? (
        <DayTabs days={days} of={spans} hrefWith={(span) => hrefOf(["events"], { event: eventKey, days: span })} />
      ) : (
        <EventTabs current="newest" />
      )}
      <KeyFilter eventKey={eventKey} defined={types.value ?? []} />
      {isOfKey && <KeyTrend key={eventKey} {...{ eventKey, days }} />}
      <Live key={eventKey} eventKey={eventKey} types={types.value ?? []} />
    </Page>
  );
}

function Live({ eventKey, types }: { eventKey: string; types: readonly EventTypeDefinition[] }) {
  const top = useRef<HTMLDivElement>(null);
  const live = useLiveEvents(eventKey, top);
  const { items, error, isLoading } = live;
  return (
    <>
      <LiveBar live={live} />
      <Failure error={error} />
      <div ref={top} aria-busy={isLoading}>
        {!items && isLoading && <p class="loading">Loading…</p>}
        {items?.length === 0 && <NoEvents eventKey={eventKey} />}
        {items && items.length > 0 && <List items={items} types={types} />}
      </div>
      <Waiting live={live} />
      <More of={live} />
    </>
  );
}

/** Shows whether the list is live, and the button that pauses or resumes it. */
function LiveBar({ live: { isPaused, pause, resume } }: { live: LiveEvents }) {
  return (
    <div class="line live-bar">
      <span class={isPaused ? "badge" : "badge good"}>{isPaused ? "Paused" : "Live"}</span>
      <span class="muted">{isPaused ? "New events do not show." : "every 5 seconds"}</span>
      <SmallButton action={isPaused ? "Resume" : "Pause"} onClick={isPaused ? resume : pause} />
    </div>
  );
}

/** The button that shows new events. It stays at the lower edge of the window. */
function Waiting({ live: { waiting, showWaiting } }: { live: LiveEvents }) {
  if (waiting === 0) return null;
  const show = (): void => {
    showWaiting();
    scrollTo(0, 0);
  };
  return <Button action={`Show ${countOf(waiting, "new event")}`} look="primary small floating" onClick={show} />;
}

function List({ items, types }: { items: readonly RecentEvent[]; types: readonly EventTypeDefinition[] }) {
  const names = new Map(types.map(({ key, name }) => [key, name]));
  const likely = useMemo(() => likelyKeys(items.map(keyOf), types), [items, types]);
  return (
    <Table
      label="Newest events"
      isStacked
      rows={items}
      keyOf={({ id }) => id}
      columns={{
        Event: ({ eventKey: key }) => (
          <>
            <Named of={{ key, name: names.get(key) }} href={hrefOf(["events"], { event: key })} />
            {likely.get(key) && <NotDefined likely={likely.get(key)!} />}
          </>
        ),
        Contact: (event) => <ContactLink to={event} />,
        Properties: ({ properties }) => <Properties of={properties} />,
        When: ({ createdAt }) => <Time at={createdAt} />,
      }}
    />
  );
}

const keyOf = ({ eventKey }: RecentEvent): string => eventKey;

function NoEvents({ eventKey }: { eventKey: string }) {
  if (eventKey !== "")
    return (
      <Empty title={`There are no events ${eventKey}.`}>
        <a href={hrefOf(["events"])}>Show all events</a>
      </Empty>
    );
  return (
    <Empty title="There are no events yet.">
      <p>
        Your backend records them, and they show here as they come. To record one by hand for a contact that exists,
        paste this with an API key:
      </p>
      <Code text={firstEvent} />
    </Empty>
  );
}
