import { issuesOf } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { Empty } from "../../kit/list.tsx";
import { Section } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { countOf, Time } from "../../kit/text.tsx";
import type { Preview } from "../../rules/preview.ts";
import { contactColumns } from "../contacts/columns.tsx";

interface MembersProps {
  preview: Preview;
  /** `null` while the rule changes. */
  rule: string | null;
  /** Whether there is a rule to ask about. */
  isAsked: boolean;
}

/** The first contacts that the rule matches, and the number of all, which may be shown later. */
export function Members({ preview: { members, count }, rule, isAsked }: MembersProps) {
  const { value: page, error, isLoading, reload } = members;
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
      {!isUnfinished && !isFailed && page && (
        <div aria-busy={!isCurrent}>
          {page.items.length > 0 ? (
            <>
              <Table
                label="Contacts that match"
                isStacked
                rows={page.items}
                keyOf={({ id }) => id}
                columns={{ ...contactColumns, Added: ({ createdAt }) => <Time at={createdAt} /> }}
              />
              <Rest shown={page.items.length} count={page.nextCursor === null ? page.items.length : counted} />
            </>
          ) : (
            <Empty title="The rule matches no contact." />
          )}
          {page.eventsKeptSince !== undefined && (
            <p class="hint">
              The rule looks further back than events are kept: since <Time at={page.eventsKeptSince} />.
            </p>
          )}
          {!isLoading && count.error !== undefined && <Failure error={count.error} retry={count.reload} />}
        </div>
      )}
    </Section>
  );
}

/** `count` is `undefined` while it is not known. */
function Rest({ shown, count }: { shown: number; count: number | undefined }) {
  if (count === undefined) return <p class="hint after-table">and more</p>;
  return count > shown ? <p class="hint after-table">and {countOf(count - shown)} more</p> : null;
}
