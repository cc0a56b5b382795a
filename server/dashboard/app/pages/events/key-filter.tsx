import { useEffect, useId, useState } from "preact/hooks";
import { Options } from "../../kit/index.ts";
import { hrefOf, replaceLocation } from "../../location.ts";
import type { EventTypeDefinition } from "../../../../../lib/model/types.ts";

/** Chooses the event key to filter by, and writes it to the address. */
export function KeyFilter({ eventKey, defined }: { eventKey: string; defined: readonly EventTypeDefinition[] }) {
  const [text, setText] = useState(eventKey);
  const id = useId();
  // A link or the browser's history may change the address.
  useEffect(() => setText(eventKey), [eventKey]);
  const show = (key: string): void => {
    if (key !== eventKey) replaceLocation(hrefOf(["events"], { event: key }));
  };
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        show(text);
      }}
    >
      <input
        class="input"
        type="search"
        aria-label="Event key"
        placeholder="Filter by event key"
        list={id}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          // A chosen key is complete, and an empty text ends the filter. Any other text may be an incomplete key.
          if (value === "" || defined.some(({ key }) => key === value)) show(value);
        }}
        onChange={() => show(text)}
      />
      <datalist id={id}>
        <Options of={defined.map(({ key, name = null }) => [key, name])} />
      </datalist>
    </form>
  );
}
