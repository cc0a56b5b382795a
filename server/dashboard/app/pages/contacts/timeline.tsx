import { ExactTime, Properties } from "../../kit/index.ts";
import type { StoredEvent } from "../../../../../lib/model/types.ts";

interface TimelineProps {
  items: readonly StoredEvent[];
  /** The names of event types, by their keys. */
  names: ReadonlyMap<string, string>;
}

/** Events with their properties. */
export function Timeline({ items, names }: TimelineProps) {
  return (
    <ol class="plain timeline" aria-label="Events, newest first">
      {items.map(({ id, eventKey, createdAt, properties }) => (
        <li key={id}>
          <div class="apart timeline-title">
            <span>
              <b>{names.get(eventKey) ?? eventKey}</b> {names.has(eventKey) && <code class="muted">{eventKey}</code>}
            </span>
            <div class="timeline-time">
              <ExactTime at={createdAt} />
            </div>
          </div>
          <Properties of={properties} />
        </li>
      ))}
    </ol>
  );
}
