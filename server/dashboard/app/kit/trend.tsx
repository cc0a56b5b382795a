import { useMemo } from "preact/hooks";
import type { Activity } from "../../../../lib/model/activity-types.ts";
import { useActivity } from "../activity.ts";
import { WhenLoaded } from "./list.tsx";
import { Plot } from "./plot.tsx";
import { Table } from "./table.tsx";
import { Tabs } from "./tabs.tsx";
import { countOf } from "./text.tsx";

interface DayTabsProps {
  days: number;
  /** The numbers of days to choose from, with their words. */
  of: Readonly<Record<number, string>>;
  hrefWith: (days: string) => string;
}

/** Chooses how many days a page is about. */
export function DayTabs({ days, of: choices, hrefWith }: DayTabsProps) {
  const tabs = Object.entries(choices).map(([span, title]) => ({
    title,
    href: hrefWith(span),
    isCurrent: Number(span) === days,
  }));
  return <Tabs label="Days" tabs={tabs} />;
}

const dayFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const dayOf = (time: string): string => dayFormat.format(new Date(time));

interface TrendProps {
  title: string;
  of: Activity;
  field: "events" | "contacts" | "newContacts";
  isSmall?: boolean;
}

/** A bar for each day, and the same figures as a table that the user opens. */
export function Trend({ title, of: { periods, countedSince }, field, isSmall = false }: TrendProps) {
  const times = useMemo(() => periods.map(({ from }) => Date.parse(from) / 1_000).reverse(), [periods]);
  const counts = useMemo(() => periods.map((day) => day[field]).reverse(), [periods, field]);
  return (
    <>
      <Plot label={`${title} by day`} {...{ times, counts, isSmall }} />
      {countedSince !== undefined && (
        <p class="hint">Counted since {dayOf(countedSince)}. Load the page again to go on.</p>
      )}
      <details class="rest figures">
        <summary class="hint">Figures by day</summary>
        <Table
          label={`${title} by day`}
          rows={periods}
          keyOf={({ from }) => from}
          columns={{
            "Day (UTC)": ({ from }) => dayOf(from),
            [title]: (day) => (day[field] === null ? "not kept" : countOf(day[field])),
          }}
          right={[title]}
        />
      </details>
    </>
  );
}

/** The events of a key on the last days. */
export function KeyTrend({ eventKey, days, isSmall = false }: { eventKey: string; days: number; isSmall?: boolean }) {
  return (
    <WhenLoaded of={useActivity(days, eventKey)}>
      {(activity) => {
        const { events = null, contacts = null } = activity.total ?? {};
        return (
          <>
            <p class="hint">
              {events !== null && contacts !== null
                ? `${countOf(events, "event")} of ${countOf(contacts, "contact")}`
                : "Events"}{" "}
              in {days} days
            </p>
            <Trend title={`Events ${eventKey}`} of={activity} field="events" isSmall={isSmall} />
          </>
        );
      }}
    </WhenLoaded>
  );
}
