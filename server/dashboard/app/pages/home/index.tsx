import { daysIn, spans } from "../../activity.ts";
import { Code, curlOf, DayTabs, Empty, firstContact, firstEvent, Page, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf, type PageLocation } from "../../location.ts";
import { Attention } from "./attention.tsx";
import { NewestEntries } from "./entries.tsx";
import { MostRecorded, Totals } from "./trends.tsx";

/** The number of newest events whose keys are looked at. */
const newest = 200;

/** Shows what happened on the last days, and what needs a look. */
export function Home({ query }: PageLocation) {
  const days = daysIn(query, spans, 30);
  const loaded = useLoaded(async ({ contacts, events, eventTypes, subscriptions }) => {
    const lists = [events.recent({ limit: newest }), eventTypes.list(), subscriptions.list()] as const;
    const [recent, types, listed] = await Promise.all(lists);
    const isEmpty = recent.items.length === 0 && (await contacts.list({ limit: 1 })).items.length === 0;
    return { keys: recent.items.map(({ eventKey }) => eventKey), types, subscriptions: listed, isEmpty };
  }, []);
  return (
    <Page title="Home">
      <WhenLoaded of={loaded}>
        {({ isEmpty, keys, types, subscriptions }) =>
          isEmpty ? (
            <FirstSteps />
          ) : (
            <>
              <DayTabs days={days} of={spans} hrefWith={(span) => hrefOf(["home"], { days: span })} />
              <Totals days={days} />
              <Attention {...{ subscriptions, keys, types }} />
              <MostRecorded {...{ keys, types, days }} />
              <NewestEntries subscriptions={subscriptions} />
            </>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

const rule = { kind: "has_done", eventKey: "signup_completed" };

function FirstSteps() {
  return (
    <Empty title="Nothing has happened yet.">
      <p>
        Add a contact, record an event, and define who did it as an audience. Paste this with an API key of access
        admin:
      </p>
      <Code text={firstContact} />
      <Code text={firstEvent} />
      <Code text={curlOf("PUT", "/audiences/signed_up", { name: "Signed up", rule })} />
    </Empty>
  );
}
