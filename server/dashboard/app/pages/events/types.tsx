import { useEffect } from "preact/hooks";
import { Definitions } from "../../definitions/definitions.tsx";
import { More, WhenLoaded } from "../../kit/index.ts";
import { useLoaded, useLoadedPages } from "../../loading.ts";
import { EventTabs } from "./tabs.tsx";
import { EventTypeForm } from "./type-form.tsx";
import { UsageTable } from "./usage-table.tsx";

/** The number of keys in one request. In a large workspace, each key takes a while to count. */
const keysAtOnce = 4;
/** The number of keys to count before the user asks for more. */
const keysUnasked = 100;

/** The usage of every event key, with or without an event type. */
export function EventTypes() {
  const usage = useLoadedPages((methods, cursor) => methods.eventTypes.usage({ cursor, limit: keysAtOnce }), []);
  const counted = usage.value?.length ?? 0;
  useEffect(() => {
    if (counted < keysUnasked && !usage.isLoading && usage.error === undefined) usage.more?.();
  }, [counted, usage]);
  const types = useLoaded((methods) => methods.eventTypes.list(), []);
  const reload = (): void => {
    usage.reload();
    types.reload();
  };
  return (
    <Definitions
      kind="event type"
      of={usage}
      onChange={reload}
      Form={EventTypeForm}
      above={<EventTabs current="types" />}
    >
      {(items, actionsOf) => (
        <>
          <WhenLoaded of={types}>
            {(defined) => <UsageTable items={items} types={defined} actionsOf={actionsOf} />}
          </WhenLoaded>
          <More of={usage} />
        </>
      )}
    </Definitions>
  );
}
