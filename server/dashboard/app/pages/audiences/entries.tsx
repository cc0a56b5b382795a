import type { AudienceChange } from "../../../../../lib/model/change-types.ts";
import {
  CheckField,
  type Columns,
  ContactLink,
  type Fields,
  Section,
  Table,
  Time,
  Watching,
  WhenLoaded,
} from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";
import { usePolled, type Polled } from "../../polling.ts";
import type { AudienceDraft } from "./draft.ts";

/** The number of entries and exits to show, which are loaded every few seconds. */
const newestShown = 10;

interface WatchedAudience {
  readyAt: string | null;
  changes: readonly AudienceChange[];
}

/** The newest entries and exits of an audience, from the first subscription that names it; `null` if there is none. */
export function useEntries(audienceKey: string | null): Polled<WatchedAudience | null> {
  return usePolled(
    async ({ subscriptions }) => {
      if (audienceKey === null) return null;
      const watching = (await subscriptions.list()).find(({ on }) => on.audiences?.includes(audienceKey));
      if (!watching) return null;
      const changes = await subscriptions.recent(watching.key, { audienceKey, limit: newestShown });
      return {
        readyAt: watching.readyAt ?? null,
        changes: changes.flatMap((change) => ("audienceKey" in change ? change : [])),
      };
    },
    [audienceKey],
    audienceKey !== null,
  );
}

export function Entries({ of: polled }: { of: Polled<WatchedAudience | null> }) {
  return (
    <Section
      title="Newest entries and exits"
      actions={
        polled.value && (
          <span class="muted">
            <Watching readyAt={polled.value.readyAt} />
          </span>
        )
      }
    >
      <WhenLoaded of={{ ...polled, reload: undefined }}>
        {(value) => (value === null ? <Unwatched /> : <EntryTable changes={value.changes} />)}
      </WhenLoaded>
    </Section>
  );
}

function Unwatched() {
  return (
    <p class="hint">
      No subscription names this audience. Choose it in a <a href={hrefOf(["subscriptions"])}>subscription</a> to see
      who enters and who leaves.
    </p>
  );
}

const audienceColumn: Columns<AudienceChange> = {
  Audience: ({ audienceKey }) => <a href={hrefOf(["audiences", audienceKey])}>{audienceKey}</a>,
};

/** `isOfMany` adds the audience of each change. */
export function EntryTable({ changes, isOfMany }: { changes: readonly AudienceChange[]; isOfMany?: boolean }) {
  if (changes.length === 0) return <p class="muted">There are no recent entries or exits.</p>;
  return (
    <Table
      label="Newest entries and exits"
      isStacked
      rows={changes}
      keyOf={({ id }) => id}
      columns={{
        Contact: ({ contact }) => <ContactLink isTitle to={contact} />,
        ...(isOfMany && audienceColumn),
        Change: ({ kind }) =>
          kind === "audience_entered" ? <span class="badge good">Entered</span> : <span class="badge">Left</span>,
        When: ({ at }) => <Time at={at} />,
      }}
    />
  );
}

/** Explains the effect of a changed rule on subscriptions. Lets the user choose to announce who enters and leaves. */
export function RuleChange({ of }: { of: Fields<AudienceDraft> }) {
  return (
    <div class="rule-change">
      <p>
        A subscription names this audience. The contacts that the changed rule lets enter and leave are{" "}
        <b>not announced</b>: watching begins anew with a first pass over all contacts.
      </p>
      <CheckField of={of} path="announce" label="Announce them, and go on watching" />
    </div>
  );
}
