import { ContactLink, countOf, Properties, Table, Time, WhenLoaded } from "../../kit/index.ts";
import { usePolled } from "../../polling.ts";
import type { Change, ContactChange, FieldChange } from "../../../../../lib/model/change-types.ts";
import type { Scalar } from "../../../../../lib/model/types.ts";

/** The number of changes to show, which are loaded every few seconds. */
const newestShown = 10;

/** The newest changes of a subscription, as they come. */
export function NewestChanges({ of: key }: { of: string }) {
  const polled = usePolled((methods) => methods.subscriptions.recent(key, { limit: newestShown }), [key], true);
  return (
    <WhenLoaded of={{ ...polled, reload: undefined }}>
      {(changes) =>
        changes.length > 0 ? (
          <ChangeTable of={key} changes={changes} />
        ) : (
          <p class="muted">There are no recent changes.</p>
        )
      }
    </WhenLoaded>
  );
}

function ChangeTable({ of: key, changes }: { of: string; changes: readonly Change[] }) {
  return (
    <Table
      label={`Newest changes of ${key}`}
      isStacked
      rows={changes}
      keyOf={({ id }) => id}
      columns={{
        Change: (change) => <ChangeName of={change} />,
        Contact: (change) => <ContactOf change={change} />,
        Details: (change) => <Details of={change} />,
        When: ({ at }) => <Time at={at} />,
      }}
    />
  );
}

export function ChangeName({ of: change }: { of: Change }) {
  return (
    <>
      <div class="row-title clamped">{titleOf(change)}</div>
      <div class="muted clamped">{change.kind.replaceAll("_", " ")}</div>
    </>
  );
}

function titleOf(change: Change): string {
  switch (change.kind) {
    case "event_recorded":
      return change.event.eventKey;
    case "item_completed":
      return change.item.itemKey;
    case "checklist_completed":
      return change.checklistKey;
    case "audience_entered":
    case "audience_left":
      return change.audienceKey;
    case "contact_created":
      return "Created";
    case "contact_updated":
      return "Updated";
    case "contact_deleted":
      return "Deleted";
  }
}

/** Shows the contact of a change, with a link unless the contact was deleted. */
export function ContactOf({ change }: { change: Change }) {
  if (change.kind === "contact_deleted")
    return <span class="clamped">{change.contact.externalId ?? change.contact.id}</span>;
  return <ContactLink to={change.contact} />;
}

function Details({ of: change }: { of: Change }) {
  switch (change.kind) {
    case "event_recorded": {
      const { properties } = change.event;
      return properties ? <Properties of={properties} /> : <span class="muted">pruned</span>;
    }
    case "item_completed": {
      const { checklistKey, progress } = change.item;
      return (
        <>
          <code>{checklistKey}</code>, {progress.completed} of {countOf(progress.total, "item")}
        </>
      );
    }
    case "audience_entered":
      return change.current ? <span class="muted">was in already</span> : null;
    case "contact_created":
    case "contact_updated":
      return <Properties of={valuesOf(change)} />;
    default:
      return null;
  }
}

/** The changed fields with their values in words. */
function valuesOf({ kind, changed }: ContactChange): Record<string, Scalar> {
  const wordsOf = (field: FieldChange | null): Scalar => {
    if (!field) return "too large to show";
    const { before, after } = field;
    return kind === "contact_created" && after !== null ? after : `${quoted(before)} → ${quoted(after)}`;
  };
  return Object.fromEntries(Object.entries(changed).map(([name, field]) => [name, wordsOf(field)]));
}

function quoted(value: Scalar | null): string {
  if (value === null) return "not set";
  return value === "" ? "an empty text" : String(value);
}
