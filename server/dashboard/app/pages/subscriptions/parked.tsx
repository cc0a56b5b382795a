import { countOf, LongText, SmallButton, Table, Time } from "../../kit/index.ts";
import type { ParkedContact } from "../../../../../lib/model/consumer-types.ts";
import { ChangeName, ContactOf } from "./changes.tsx";

interface ParkedTableProps {
  of: string;
  items: readonly ParkedContact[];
  isRetrying: boolean;
  onRetry: (changeId: string) => void;
  onDrop: (parked: ParkedContact) => void;
}

/** The parked contacts of a subscription, each with the change that failed and its error. */
export function ParkedTable({ of: key, items, isRetrying, onRetry, onDrop }: ParkedTableProps) {
  return (
    <Table
      label={`Parked contacts of ${key}`}
      isStacked
      rows={items}
      keyOf={({ changeId }) => changeId}
      columns={{
        "Failed change": (parked) => <FailedChange of={parked} />,
        Error: ({ error }) => (
          <div class="error-text">
            <LongText of={error} />
          </div>
        ),
        Tries: ({ tries }) => countOf(tries),
        Parked: ({ parkedAt }) => <Time at={parkedAt} />,
      }}
      actions={(parked) => (
        <>
          <SmallButton
            action="Retry"
            of={nameOf(parked)}
            needs="retryChange"
            isDisabled={isRetrying}
            onClick={() => onRetry(parked.changeId)}
          />
          <SmallButton action="Drop" of={nameOf(parked)} needs="dropChange" onClick={() => onDrop(parked)} />
        </>
      )}
      wide={["Tries"]}
      right={["Tries"]}
    />
  );
}

function FailedChange({ of: { contactId, change } }: { of: ParkedContact }) {
  if (change)
    return (
      <>
        <ChangeName of={change} />
        <ContactOf change={change} />
      </>
    );
  return (
    <>
      <div class="row-title">No longer kept</div>
      <div class="muted">Drop it to go on.</div>
      <code class="clamped">{contactId}</code>
    </>
  );
}

/** The email of the contact, or an id if the contact was deleted or the change is no longer kept. */
export function nameOf({ contactId, change }: ParkedContact): string {
  if (change?.kind === "contact_deleted") return change.contact.externalId ?? contactId;
  return change?.contact.email ?? contactId;
}
