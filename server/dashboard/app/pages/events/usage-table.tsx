import { useMemo } from "preact/hooks";
import { Named } from "../../kit/named.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { Table } from "../../kit/table.tsx";
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
  const likely = useMemo(() => likelyKeys(items.map(keyOf), types), [items, types]);
  return (
    <Table
      label="Event types"
      isStacked
      rows={items}
      keyOf={keyOf}
      columns={{
        Event: ({ key }) => (
          <>
            <Named of={typesByKey.get(key) ?? { key }} href={hrefOf(["events"], { event: key })} />
            {!typesByKey.has(key) && <NotDefined likely={likely.get(key) ?? null} />}
          </>
        ),
        Events: ({ count }) => (
          <>
            {countOf(count)} <span class="unit">{count === 1 ? "event" : "events"}</span>
          </>
        ),
        Contacts: ({ contacts }) => countOf(contacts),
        First: ({ firstAt }) => <Time at={firstAt} />,
        Last: ({ lastAt }) => <Time at={lastAt} />,
      }}
      actions={({ key }) => <Actions of={key} type={typesByKey.get(key)} onDeed={onDeed} />}
      wide={["Contacts", "First"]}
      right={["Events", "Contacts"]}
    />
  );
}

const keyOf = ({ key }: EventTypeUsage): string => key;

interface ActionsProps extends Pick<UsageTableProps, "onDeed"> {
  of: string;
  type: EventTypeDefinition | undefined;
}

function Actions({ of: key, type, onDeed }: ActionsProps) {
  return (
    <>
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
    </>
  );
}
