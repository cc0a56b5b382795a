import type { StoredEvent } from "../../../../lib/types.ts";
import { scalarWords } from "./text.tsx";

/** An event has up to 256 properties. */
const propertiesShownMax = 6;

type Entry = [string, StoredEvent["properties"][string]];

/** The properties of an event; the first of many. */
export function Properties({ of: properties }: { of: StoredEvent["properties"] }) {
  const entries: Entry[] = Object.entries(properties);
  if (entries.length === 0) return null;
  const more = entries.slice(propertiesShownMax);
  return (
    <>
      <PropertyList of={entries.slice(0, propertiesShownMax)} />
      {more.length > 0 && (
        <details class="rest">
          <summary>{more.length} more</summary>
          <PropertyList of={more} />
        </details>
      )}
    </>
  );
}

function PropertyList({ of: entries }: { of: readonly Entry[] }) {
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
