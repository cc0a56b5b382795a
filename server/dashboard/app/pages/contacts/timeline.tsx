import { Time } from "../../kit/text.tsx";
import type { StoredEvent } from "../../../../../lib/types.ts";
import { scalarWords } from "./profile.tsx";

/** An event has up to 256 properties. */
const propertiesShownMax = 6;

interface TimelineProps {
  items: readonly StoredEvent[];
  /** The names of event types, by their keys. */
  names: ReadonlyMap<string, string>;
}

/** Events with their properties. */
export function Timeline({ items, names }: TimelineProps) {
  return (
    <ol class="timeline" aria-label="Events, newest first">
      {items.map(({ id, eventKey, createdAt, properties }) => (
        <li key={id}>
          <div class="timeline-title">
            <span>
              <b>{names.get(eventKey) ?? eventKey}</b> {names.has(eventKey) && <code class="muted">{eventKey}</code>}
            </span>
            <span class="muted">
              <Time at={createdAt} />
            </span>
          </div>
          <Properties of={Object.entries(properties)} />
        </li>
      ))}
    </ol>
  );
}

function Properties({ of: entries }: { of: readonly [string, StoredEvent["properties"][string]][] }) {
  if (entries.length === 0) return null;
  const more = entries.slice(propertiesShownMax);
  return (
    <>
      <PropertyList of={entries.slice(0, propertiesShownMax)} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <PropertyList of={more} />
        </details>
      )}
    </>
  );
}

function PropertyList({ of: entries }: { of: readonly [string, StoredEvent["properties"][string]][] }) {
  return (
    <dl class="properties">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{scalarWords(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
