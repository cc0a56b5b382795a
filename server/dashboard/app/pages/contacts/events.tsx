import { byFrequency } from "../../event-keys.ts";
import { Code, curlOf, Empty, Failure, More, Options, WhenLoaded } from "../../kit/index.ts";
import { useLoaded, useLoadedPages } from "../../loading.ts";
import { hrefOf, replaceLocation } from "../../location.ts";
import type { Contact } from "../../../../../lib/model/types.ts";
import { HistoryPlot } from "./history-plot.tsx";
import { loadHistory } from "./history.ts";
import { Timeline } from "./timeline.tsx";

interface ContactEventsProps {
  contact: Contact;
  query: Readonly<Record<string, string>>;
}

/** Shows the events of a contact, newest first. The address holds the chosen event key. */
export function ContactEvents({ contact: { externalId }, query: { event = "" } }: ContactEventsProps) {
  const history = useLoaded((methods) => loadHistory(methods, externalId), [externalId]);
  const types = useLoaded((methods) => methods.eventTypes.list(), []);
  const events = useLoadedPages(
    (methods, cursor) => methods.events.list(externalId, { eventKey: event || undefined, cursor }),
    [externalId, event],
  );
  const names = new Map(types.value?.flatMap(({ key, name }) => (name ? [[key, name] as const] : [])));
  const defined = types.value?.map(({ key }) => key) ?? [];
  // If older events are not loaded, offers all defined keys too.
  const done = byFrequency(history.value?.events.map(({ eventKey }) => eventKey) ?? []);
  const keys = history.value?.isWhole === false ? [...done, ...defined] : done;
  return (
    <>
      <KeyFilter
        {...{ event, keys, names }}
        onChange={(key) => replaceLocation(hrefOf(["contacts", externalId], { event: key }))}
      />
      {history.error !== undefined && <Failure error={history.error} retry={history.reload} />}
      {history.value && <HistoryPlot history={history.value} eventKey={event} />}
      <WhenLoaded of={events}>
        {(items) => (items.length > 0 ? <Timeline {...{ items, names }} /> : <NoEvents {...{ externalId, event }} />)}
      </WhenLoaded>
      <More of={events} />
    </>
  );
}

interface KeyFilterProps {
  event: string;
  keys: readonly string[];
  names: ReadonlyMap<string, string>;
  onChange: (key: string) => void;
}

function KeyFilter({ event, keys, names, onChange }: KeyFilterProps) {
  const shown = new Set(event === "" ? keys : [...keys, event]);
  if (shown.size === 0) return null;
  const wordsOf = (key: string) => [key, names.has(key) ? `${names.get(key)} (${key})` : key] as const;
  return (
    <div class="filters">
      <select
        class="input"
        aria-label="Events shown"
        value={event}
        onChange={(change) => onChange(change.currentTarget.value)}
      >
        <Options of={[["", "All events"], ...Array.from(shown, wordsOf)]} />
      </select>
    </div>
  );
}

function NoEvents({ externalId, event }: { externalId: string; event: string }) {
  if (event !== "")
    return (
      <Empty title={`This contact has no event ${event}.`}>
        <a href={hrefOf(["contacts", externalId])}>Show all its events</a>
      </Empty>
    );
  return (
    <Empty title="This contact has no events yet.">
      <p>Your backend records them. To record one by hand, paste this with an API key:</p>
      <Code text={curlOf("POST", "/events", { externalId, eventKey: "signup_completed" })} />
    </Empty>
  );
}
