import { useEffect } from "preact/hooks";
import { curlOf } from "../../kit/curl.ts";
import { Empty, More, WhenLoaded } from "../../kit/list.tsx";
import { MainAction } from "../../kit/main-action.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { Code } from "../../kit/text.tsx";
import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { useLoaded, useLoadedPages } from "../../loading.ts";
import type { EventTypeDefinition } from "../../../../../lib/model/types.ts";
import { EventTabs } from "./tabs.tsx";
import { EventTypeForm } from "./type-form.tsx";
import { UsageTable, type Deed } from "./usage-table.tsx";

const firstType = curlOf("PUT", "/event-types/purchase_completed", {
  properties: { total: "number", coupon: "text?" },
});

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
  const { deed, begin, onClose, onDone } = useDeed<Deed>(() => {
    usage.reload();
    types.reload();
  });
  return (
    <Page
      title="Events"
      actions={
        <MainAction needs="putEventType" onClick={() => begin({ name: "define", eventKey: null })}>
          Define event type
        </MainAction>
      }
    >
      <EventTabs current="types" />
      <WhenLoaded of={types}>
        {(defined) => (
          <WhenLoaded of={usage}>
            {(items) =>
              items.length > 0 ? <UsageTable items={items} types={defined} onDeed={begin} /> : <NoEventTypes />
            }
          </WhenLoaded>
        )}
      </WhenLoaded>
      <More of={usage} />
      {deed?.name === "define" && (
        <EventTypeForm
          eventKey={deed.eventKey}
          type={types.value?.find(({ key }) => key === deed.eventKey) ?? null}
          onSaved={onDone}
          onClose={onClose}
        />
      )}
      {deed?.name === "delete" && <DeleteEventType type={deed.type} onRemoved={onDone} onClose={onClose} />}
    </Page>
  );
}

function DeleteEventType({
  type: { key, name },
  ...closing
}: {
  type: EventTypeDefinition;
  onRemoved: () => void;
  onClose: () => void;
}) {
  return (
    <Removal
      {...closing}
      title={`Delete “${name ?? key}”?`}
      action="Delete the event type"
      remove={() => api.eventTypes.delete(key)}
    >
      <p>
        The recorded events stay. New ones are no longer held to its properties, or are refused if the server refuses
        undefined events.
      </p>
    </Removal>
  );
}

function NoEventTypes() {
  return (
    <Empty title="There are no events yet, and no event types.">
      <p>
        An event type says which properties the events of a key have; the server refuses others. Define one here, or
        paste this with an API key of access admin:
      </p>
      <Code text={firstType} />
    </Empty>
  );
}
