import { useMemo } from "preact/hooks";
import { Table } from "../../kit/list.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { countOf, Time } from "../../kit/text.tsx";
import { hrefOf } from "../../location.ts";
import type { EventTypeDefinition, EventTypeUsage } from "../../../../../lib/model/types.ts";
import { likelyKeys } from "./likeness.ts";
import { NotDefined } from "./not-defined.tsx";

/** An action of the user: define the key, or a new one if it is `null`; or delete the event type. */
export type Deed = { name: "define"; eventKey: string | null } | { name: "delete"; type: EventTypeDefinition };

interface UsageTableProps {
  items: readonly EventTypeUsage[];
  types: readonly EventTypeDefinition[];
  onDeed: (deed: Deed) => void;
}

export function UsageTable({ items, types, onDeed }: UsageTableProps) {
  const typesByKey = new Map(types.map((type) => [type.key, type]));
  const likely = useMemo(
    () =>
      likelyKeys(
        items.map(({ key }) => key),
        types,
      ),
    [items, types],
  );
  return (
    <Table
      label="Event types"
      columns={["Event", "Events", "Contacts", "First", "Last", "Actions"]}
      right={["Events", "Contacts", "Actions"]}
    >
      {items.map((usage) => (
        <Row
          key={usage.key}
          usage={usage}
          type={typesByKey.get(usage.key) ?? null}
          likely={likely.get(usage.key) ?? null}
          onDeed={onDeed}
        />
      ))}
    </Table>
  );
}

interface RowProps extends Pick<UsageTableProps, "onDeed"> {
  usage: EventTypeUsage;
  type: EventTypeDefinition | null;
  likely: string | null;
}

function Row({ usage: { key, count, contacts, firstAt, lastAt }, type, likely, onDeed }: RowProps) {
  return (
    <tr>
      <td>
        <a class="row-link clamped" href={hrefOf(["events"], { event: key })}>
          {type?.name ?? key}
        </a>
        {type?.name && <code class="muted clamped">{key}</code>}
        {!type && <NotDefined likely={likely} />}
      </td>
      <td class="right">
        {countOf(count)} <span class="unit">{count === 1 ? "event" : "events"}</span>
      </td>
      <td class="right wide">{countOf(contacts)}</td>
      <td class="wide">
        <Time at={firstAt} />
      </td>
      <td>
        <Time at={lastAt} />
      </td>
      <td class="row-actions right">
        <SmallButton
          action={type ? "Edit" : "Define"}
          of={key}
          needs="putEventType"
          onClick={() => onDeed({ name: "define", eventKey: key })}
        />
        {type && (
          <SmallButton
            action="Delete"
            of={key}
            needs="deleteEventType"
            onClick={() => onDeed({ name: "delete", type })}
          />
        )}
      </td>
    </tr>
  );
}
