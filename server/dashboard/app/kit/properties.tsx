import type { ComponentChildren } from "preact";
import type { Scalar, StoredEvent } from "../../../../lib/model/types.ts";
import { scalarWords } from "./text.tsx";

/** The rest is shown on demand: an event has up to 256 properties. */
const propertiesShownMax = 6;
/** The rest is shown on demand: a text has up to 4 KiB. */
const charactersShownMax = 120;

type Entry = [string, Scalar];

/** The properties of an event. Shows at most `propertiesShownMax` of them until the user asks for more. */
export function Properties({ of: properties }: { of: StoredEvent["properties"] }) {
  const entries: Entry[] = Object.entries(properties);
  if (entries.length === 0) return null;
  const more = entries.slice(propertiesShownMax);
  return (
    <>
      <PropertyList of={entries.slice(0, propertiesShownMax)} />
      {more.length > 0 && (
        <details class="rest">
          <summary class="hint">{more.length} more</summary>
          <PropertyList of={more} />
        </details>
      )}
    </>
  );
}

/** A text. Shows only the start of a long one, until the user opens it. */
export function LongText({ of: text }: { of: string }) {
  if (text.length <= charactersShownMax) return <>{scalarWords(text)}</>;
  return (
    <details class="rest">
      <summary class="hint">{text.slice(0, charactersShownMax)}…</summary>
      {text}
    </details>
  );
}

function PropertyList({ of: entries }: { of: readonly Entry[] }) {
  return <Facts of={entries.map(([name, value]) => [name, <LongText key={name} of={String(value)} />])} />;
}

/** Names, each with its value, side by side. */
export function Facts({ of: facts }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="properties">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
