import { useActivity } from "../../activity.ts";
import { byFrequency } from "../../event-keys.ts";
import { countOf, KeyTrend, Section, Trend, WhenLoaded } from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";
import type { EventTypeDefinition } from "../../../../../lib/model/types.ts";

const totals = { "New contacts": "newContacts", "Active contacts": "contacts", Events: "events" } as const;

/** How many contacts were new and active, and how many events there were, beside as many days before. */
export function Totals({ days }: { days: number }) {
  const now = useActivity(days);
  const before = useActivity(days, undefined, days);
  return (
    <WhenLoaded of={now}>
      {(activity) => (
        <div class="tiles">
          {Object.entries(totals).map(([title, field]) => {
            const count = activity.total?.[field] ?? null;
            return (
              <section key={title} class="card" aria-label={title}>
                <h2>{title}</h2>
                <p class="figure">{count === null ? "–" : countOf(count)}</p>
                <p class="hint">{before.value && beforeWords(count, before.value.total?.[field] ?? null, days)}</p>
                <Trend title={title} of={activity} field={field} isSmall />
              </section>
            );
          })}
        </div>
      )}
    </WhenLoaded>
  );
}

function beforeWords(count: number | null, before: number | null, days: number): string {
  if (before === null) return `The ${days} days before are not known.`;
  // A change of 1,000 % and more says less than the two counts. NaN, without a count or with 0 twice, is not shown either.
  const change = Math.round((100 * ((count ?? NaN) - before)) / before);
  return `${countOf(before)} in the ${days} days before${change < 1_000 ? `, ${change > 0 ? "+" : ""}${change} %` : ""}`;
}

const keysShown = 5;

interface MostRecordedProps {
  /** The keys of the newest events. */
  keys: readonly string[];
  types: readonly EventTypeDefinition[];
  days: number;
}

/** The most frequent keys among the newest events, each over time. To find those of all events, the server must count each key. */
export function MostRecorded({ keys, types, days }: MostRecordedProps) {
  const most = byFrequency(keys).slice(0, keysShown);
  return (
    <Section title="Most recorded lately" actions={<a href={hrefOf(["events", "types"])}>All event keys</a>}>
      <div class="tiles">
        {most.map((key) => (
          <section key={key} class="card" aria-label={key}>
            <a class="row-link clamped" href={hrefOf(["events"], { event: key })}>
              {types.find((type) => type.key === key)?.name ?? key}
            </a>
            <KeyTrend eventKey={key} days={days} isSmall />
          </section>
        ))}
      </div>
    </Section>
  );
}
