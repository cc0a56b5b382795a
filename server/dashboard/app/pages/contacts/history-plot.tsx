import { useMemo } from "preact/hooks";
import { countOf, Plot } from "../../kit/index.ts";
import { barsOf } from "./bars.ts";
import type { History } from "./history.ts";

/** The events over time: all events if `eventKey` is empty, otherwise those with the key. */
export function HistoryPlot({ history, eventKey }: { history: History; eventKey: string }) {
  const { events, isWhole } = history;
  const times = useMemo(
    () => events.flatMap((event) => (eventKey === "" || event.eventKey === eventKey ? event.at : [])),
    [events, eventKey],
  );
  const { unit, starts, counts } = useMemo(() => barsOf(times, Date.now()), [times]);
  if (times.length === 0) return null;
  const told = `${countOf(times.length, "event")} by ${unit}`;
  return (
    <figure class="history">
      <Plot label={told} times={starts} counts={counts} />
      <figcaption class="hint">
        {told}, in UTC.{!isWhole && ` Only the contact's newest ${countOf(events.length, "event")} are drawn.`}
      </figcaption>
    </figure>
  );
}
