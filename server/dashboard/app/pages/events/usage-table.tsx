import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { countOf, Named, Table, Time } from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";
import type { EventTypeDefinition, EventTypeUsage } from "../../../../../lib/model/types.ts";
import { likelyKeys } from "./likeness.ts";
import { NotDefined } from "./not-defined.tsx";
import type { EventKey } from "./type-form.tsx";

interface UsageTableProps {
  items: readonly EventTypeUsage[];
  types: readonly EventTypeDefinition[];
  actionsOf: (eventKey: EventKey, isDefined: boolean) => VNode;
}

export function UsageTable({ items, types, actionsOf }: UsageTableProps) {
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
      actions={({ key }) => {
        const type = typesByKey.get(key) ?? null;
        return actionsOf({ key, name: type?.name, type }, type !== null);
      }}
      wide={["Contacts", "First"]}
      right={["Events", "Contacts"]}
    />
  );
}

const keyOf = ({ key }: EventTypeUsage): string => key;
