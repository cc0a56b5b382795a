import { issuesOf } from "../../api.ts";
import { countOf, Empty, Failure, More, Section, Table, Time } from "../../kit/index.ts";
import type { Preview } from "../../rules/preview.ts";
import { contactColumns } from "../contacts/columns.tsx";
import { CsvDownload } from "./download.tsx";

interface MembersProps {
  preview: Preview;
  /** `null` while the rule changes. */
  rule: string | null;
  /** Whether there is a rule to ask about. */
  isAsked: boolean;
  /** `null` for a new audience. */
  audienceKey: string | null;
}

/** The contacts that the rule matches, page by page, and the number of all, which may be shown later. */
export function Members({ preview: { members, count }, rule, isAsked, audienceKey }: MembersProps) {
  const { value: items, error, isLoading, reload, eventsKeptSince } = members;
  const isUnfinished = !isAsked || issuesOf(error).length > 0;
  const isFailed = error !== undefined && !isLoading;
  const isCurrent = !isLoading && rule !== null && error === undefined;
  const counted = count.isLoading || count.error !== undefined ? undefined : count.value;
  return (
    <Section
      title="Who matches now"
      actions={
        <span role="status">
          {isCurrent && counted !== undefined ? countOf(counted, "contact") : isAsked && count.isLoading && "Counting…"}
        </span>
      }
    >
      {isUnfinished && <p class="hint">Finish the rule to see whom it matches.</p>}
      {!isUnfinished && isFailed && <Failure error={error} retry={reload} />}
      {!isUnfinished && !isFailed && items && (
        <div aria-busy={!isCurrent}>
          {items.length > 0 ? (
            <>
              <Table
                label="Contacts that match"
                isStacked
                rows={items}
                keyOf={({ id }) => id}
                columns={{ ...contactColumns, Added: ({ createdAt }) => <Time at={createdAt} /> }}
              />
              <div class="line after-table">
                <More of={members} />
                {rule !== null && <CsvDownload key={rule} {...{ rule, audienceKey }} count={counted} />}
              </div>
            </>
          ) : (
            <Empty title="The rule matches no contact." />
          )}
          {eventsKeptSince !== undefined && (
            <p class="hint">
              The rule looks further back than events are kept: since <Time at={eventsKeptSince} />.
            </p>
          )}
          {!isLoading && count.error !== undefined && <Failure error={count.error} retry={count.reload} />}
        </div>
      )}
    </Section>
  );
}
